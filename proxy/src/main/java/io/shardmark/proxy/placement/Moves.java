package io.shardmark.proxy.placement;

import io.shardmark.proxy.ddl.Hold;
import io.shardmark.proxy.ddl.Hold.Manner;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The moves of tables that a proxy knows of, and where it is present to hear of more. Pure: events
 * in, calls of its gate out; knows no clock, thread or connection. Not thread-safe.
 *
 * <p>A move is known from when its mover asks, or from when its mark is found on a shard where the
 * proxy was not present before, until its end on every shard; if statements were kept back, until
 * the map has been read since.
 */
final class Moves {
  /** Closes the gate as long as the proxy is present nowhere; no move has this number. */
  static final int NOWHERE = 0;

  /** Of a move of which no more is known than its mark. */
  private static final Hold ALL = Hold.ofStatements(Set.of());

  private int shards;
  private final MoveGate gate;
  private final Map<Integer, Move> moves = new TreeMap<>();

  /** Shards on which this proxy is present. */
  private final BitSet joined = new BitSet();

  /** Where it has been tried since the proxy was last present nowhere. */
  private final BitSet tried = new BitSet();

  /** How often the proxy has been present nowhere. */
  private int absences;

  /** How often a process was gone that had not answered. */
  private int disappearances;

  private boolean open;
  private boolean reading;

  /** What keeps statements off tables. */
  interface MoveGate {
    /**
     * Keeps that back from now on, and has end what must not be under way; then {@link #clear}.
     *
     * @param move number, or {@link #NOWHERE}
     */
    void close(int move, Hold hold);

    /** The map shows the tables as they are now. */
    void open(int move);

    /**
     * The move of this proxy may commit, or must not; once for each.
     *
     * @param whyNot "" if it may
     */
    void answer(int move, String whyNot);
  }

  /** What is to be read before a gate opens. */
  record MapReading(Set<Integer> over, int absences) {}

  /**
   * What a shard is asked about.
   *
   * @param moves that are known
   * @param disappearances noticed so far
   */
  record Look(Set<Integer> moves, int disappearances) {}

  private static final class Move {
    /** Shards on which the mover has asked, has been answered, and is over. */
    final BitSet asked = new BitSet();

    final BitSet answered = new BitSet();
    final BitSet over = new BitSet();

    /** No statement on its tables is under way. */
    boolean clear;

    /** Of one of this proxy that waits for the others; else null. */
    @Nullable MoveQuestion question;

    private final Manner manner;

    Move(Manner manner) {
      this.manner = manner;
    }
  }

  /** Who keeps off, and who has not said so yet, by server process on each shard. */
  private static final class MoveQuestion {
    final Map<Integer, Set<Integer>> silent = new HashMap<>();
    final Map<Integer, Set<Integer>> answered = new HashMap<>();

    /**
     * Shards to be looked at again: a process that has not answered is gone, and its proxy may be
     * present by another one.
     */
    final BitSet stale = new BitSet();

    boolean isAnswered(int shards) {
      return silent.size() == shards
          && stale.isEmpty()
          && silent.values().stream().allMatch(Set::isEmpty);
    }
  }

  Moves(int shards, MoveGate gate) {
    this.shards = shards;
    this.gate = gate;
  }

  /** So many shards count now: a move that is not over has to be over there as well. */
  void takeShards(int count) {
    shards = count;
  }

  /** Before the first statement. */
  void start() {
    gate.close(NOWHERE, ALL);
  }

  // ---- moves of this proxy

  /** A transaction of this proxy has marked itself, and asks. */
  void begin(int number, Hold hold) {
    known(number, hold).question = new MoveQuestion();
    if (!isEverywhere() && tried.cardinality() == shards) {
      fail(number, "not present on all shards to ask the others");
    }
  }

  /** Whether the others can be asked, and will be heard. */
  boolean isEverywhere() {
    return joined.cardinality() == shards;
  }

  /**
   * The proxies that are asked on a shard.
   *
   * @param present their server processes there
   */
  void asks(int number, int shard, Set<Integer> present) {
    MoveQuestion question = question(number);
    if (question != null) {
      Set<Integer> silent = new HashSet<>(present);
      silent.removeAll(question.answered.getOrDefault(shard, Set.of()));
      question.silent.put(shard, silent);
      settle(number, question);
    }
  }

  /** A proxy keeps off. */
  void answered(int number, int shard, int process) {
    MoveQuestion question = question(number);
    if (question != null) {
      question.answered.computeIfAbsent(shard, first -> new HashSet<>()).add(process);
      question.silent.getOrDefault(shard, new HashSet<>()).remove(process);
      settle(number, question);
    }
  }

  /** It cannot commit; nothing if it has been answered. */
  void fail(int number, String why) {
    if (question(number) != null) {
      answer(number, why);
    }
  }

  /**
   * Whom a move of this proxy waits for, one line; "" if it does not wait.
   *
   * @param names of shards by index
   */
  String waitsFor(int number, IntFunction<String> names) {
    MoveQuestion question = question(number);
    return question == null
        ? ""
        : question.silent.entrySet().stream()
            .flatMap(
                one ->
                    one.getValue().stream()
                        .map(
                            process ->
                                "server process %d of shard %s"
                                    .formatted(process, names.apply(one.getKey()))))
            .findFirst()
            .orElse("this proxy");
  }

  private @Nullable MoveQuestion question(int number) {
    Move move = moves.get(number);
    return move == null ? null : move.question;
  }

  private void settle(int number, MoveQuestion question) {
    if (question.isAnswered(shards)) {
      answer(number, "");
    }
  }

  private void answer(int number, String whyNot) {
    Move move = moves.get(number);
    if (move != null) {
      move.question = null;
      gate.answer(number, whyNot);
    }
  }

  // ---- moves of all proxies

  private Move known(int number, Hold hold) {
    Move move = moves.get(number);
    if (move == null) {
      move = new Move(hold.manner());
      moves.put(number, move);
      gate.close(number, hold);
    }
    return move;
  }

  /** A mover asks on a shard. */
  void heard(int number, int shard, Hold hold) {
    known(number, hold).asked.set(shard);
  }

  /** No statement on the move's tables is under way any more. */
  void clear(int number) {
    Move move = moves.get(number);
    if (move != null) {
      move.clear = true;
    }
  }

  /** Whether it is so. */
  boolean isClear(int number) {
    Move move = moves.get(number);
    return move != null && move.clear;
  }

  /** Moves that are to be answered on a shard; each once. */
  List<Integer> toAnswer(int shard) {
    List<Integer> due = new ArrayList<>();
    moves.forEach(
        (number, move) -> {
          if (move.clear && move.asked.get(shard) && !move.answered.get(shard)) {
            move.answered.set(shard);
            due.add(number);
          }
        });
    return due;
  }

  /** What the next look at a shard is about; before the shard is asked. */
  Look look() {
    return new Look(Set.copyOf(moves.keySet()), disappearances);
  }

  /**
   * What a shard shows.
   *
   * @param marks moves that have not ended there
   * @param present server processes by which proxies are present there
   */
  void shows(int shard, Look look, Set<Integer> marks, Set<Integer> present) {
    for (int number : look.moves()) {
      Move move = moves.get(number);
      if (move != null && !marks.contains(number)) {
        move.over.set(shard);
        openUnread(number, move);
      }
      MoveQuestion question = question(number);
      if (question != null && question.silent.containsKey(shard)) {
        shows(shard, look, question, present);
        settle(number, question);
      }
    }
  }

  /** Who keeps back transactions alone changes no table: it keeps back statements before. */
  private void openUnread(int number, Move move) {
    if (move.manner == Manner.TRANSACTIONS && move.over.cardinality() == shards) {
      moves.remove(number);
      gate.open(number);
    }
  }

  private void shows(int shard, Look look, MoveQuestion question, Set<Integer> present) {
    Set<Integer> silent = question.silent.getOrDefault(shard, new HashSet<>());
    if (silent.retainAll(present)) {
      disappearances++;
      question.stale.set(0, shards);
    } else if (question.stale.get(shard) && look.disappearances() == disappearances) {
      question.stale.clear(shard);
      silent.addAll(present);
      silent.removeAll(question.answered.getOrDefault(shard, Set.of()));
    }
  }

  // ---- presence

  /**
   * This proxy is present on a shard.
   *
   * @param marks moves that have not ended there, of which it may not have heard
   */
  void joined(int shard, Set<Integer> marks) {
    joined.set(shard);
    tried.set(shard);
    // Their movers may wait for who has come since they asked.
    marks.forEach(number -> known(number, ALL).asked.set(shard));
  }

  /** It is not, or not any more. */
  void lost(int shard) {
    boolean was = joined.get(shard);
    joined.clear(shard);
    if (was && joined.isEmpty()) {
      absences++;
      tried.clear();
      if (open) {
        open = false;
        gate.close(NOWHERE, ALL);
      }
    }
    tried.set(shard);
    Set.copyOf(moves.keySet())
        .forEach(number -> fail(number, "a shard was lost before the others had answered"));
  }

  /** Whether no shard can be reached. */
  boolean isCutOff() {
    return joined.isEmpty() && tried.cardinality() == shards;
  }

  /** Whether something has to be noticed soon. */
  boolean isBusy() {
    return !open || !moves.isEmpty();
  }

  // ---- the map

  /** What is to be read now; null: nothing, or it is being read. */
  @Nullable MapReading read() {
    Set<Integer> over = new HashSet<>();
    moves.forEach(
        (number, move) -> {
          if (move.manner != Manner.TRANSACTIONS && move.over.cardinality() == shards) {
            over.add(number);
          }
        });
    // No shard that could be asked may be silent about moves.
    boolean settled = !open && !joined.isEmpty() && tried.cardinality() == shards;
    if (reading || (over.isEmpty() && !settled)) {
      return null;
    }
    reading = true;
    return new MapReading(over, settled ? absences : -1);
  }

  /**
   * The map has been read.
   *
   * @param answered indexes of the shards that have answered; none: it could not be read
   */
  void hasRead(MapReading what, Set<Integer> answered) {
    reading = false;
    if (answered.size() == shards) {
      what.over().forEach(moves::remove);
      what.over().forEach(gate::open);
    }
    if (!open
        && what.absences() == absences
        && !joined.isEmpty()
        && joined.stream().allMatch(answered::contains)) {
      open = true;
      gate.open(NOWHERE);
    }
  }
}
