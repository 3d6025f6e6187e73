package io.shardmark.proxy.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.ddl.Hold;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Proxies over shards with one table that moves, as far as their agreement goes. A step is one that
 * a process, a link or a server can make by itself; what is checked is that a statement is executed
 * by the map that the table has on its shard then.
 */
final class MovesWorld {
  private static final int SHARDS = 2;
  private static final int STEPS_PER_FAULT = 200;
  private static final int STEPS_PER_MOVE = 40;
  private static final Hold TABLE = Hold.ofStatements(Set.of("t"));
  private static final Hold TRANSACTIONS = new Hold(Set.of("t"), Hold.Manner.TRANSACTIONS);

  private final Random random;
  private final List<Shard> shards = new ArrayList<>();
  private final List<Proxy> proxies = new ArrayList<>();

  /** Whether a mover waits for the answer: the fault that the model must find if it does not. */
  private final boolean waits;

  private @Nullable Mover mover;
  private int lastProcess;
  private int lastMove;
  private int movesDone;
  private int executed;

  MovesWorld(int proxyCount, boolean waits, Random random) {
    this.random = random;
    this.waits = waits;
    for (int shard = 0; shard < SHARDS; shard++) {
      shards.add(new Shard());
    }
    for (int proxy = 0; proxy < proxyCount; proxy++) {
      proxies.add(new Proxy());
    }
  }

  private record Heard(@Nullable Hold asked, int move, int process) {}

  /** A server: which version of the table it has, the marks on it, and who listens. */
  private static final class Shard {
    final Set<Integer> marks = new HashSet<>();
    final Map<Integer, Deque<Heard>> listeners = new TreeMap<>();
    int version;

    void say(Heard what) {
      listeners.values().forEach(queue -> queue.add(what));
    }
  }

  private static final class Statement {
    final int shard;
    final int version;

    Statement(int shard, int version) {
      this.shard = shard;
      this.version = version;
    }
  }

  /** A transaction that moves the table, or one that only has the others end. */
  private final class Mover {
    final Proxy proxy;
    final int number = ++lastMove;
    final Hold hold = random.nextInt(4) == 0 ? TRANSACTIONS : TABLE;
    final Set<Integer> open = new HashSet<>();
    int asked;
    @Nullable String answer;
    boolean commits;

    Mover(Proxy proxy) {
      this.proxy = proxy;
      for (int shard = 0; shard < SHARDS; shard++) {
        open.add(shard);
        shards.get(shard).marks.add(number);
      }
      proxy.moves.begin(number, hold);
    }

    boolean step() {
      if (answer == null && !waits) {
        answer = "";
      }
      if (answer == null) {
        if (asked < SHARDS && proxy.moves.isEverywhere()) {
          proxy.moves.asks(number, asked, Set.copyOf(shards.get(asked).listeners.keySet()));
          shards.get(asked).say(new Heard(hold, number, 0));
          asked++;
          return true;
        }
        return false;
      }
      commits |= answer.isEmpty() && hold.equals(TABLE);
      end(new ArrayList<>(open).get(random.nextInt(open.size())));
      return true;
    }

    void end(int shard) {
      open.remove(shard);
      shards.get(shard).marks.remove(number);
      shards.get(shard).version += commits ? 1 : 0;
      if (open.isEmpty()) {
        mover = null;
        movesDone += commits ? 1 : 0;
      }
    }
  }

  private final class Proxy implements Moves.MoveGate {
    Moves moves = new Moves(SHARDS, this);
    final int[] processes = new int[SHARDS];
    final boolean[] joined = new boolean[SHARDS];
    final Set<Integer> closed = new HashSet<>();
    final int[] map = new int[SHARDS];
    final List<Moves.@Nullable Look> looks = new ArrayList<>();
    Moves.@Nullable MapReading reading;
    final Set<Integer> read = new HashSet<>();
    @Nullable Statement statement;

    Proxy() {
      start();
    }

    private void start() {
      moves = new Moves(SHARDS, this);
      closed.clear();
      looks.clear();
      for (int shard = 0; shard < SHARDS; shard++) {
        looks.add(null);
      }
      reading = null;
      statement = null;
      moves.start();
    }

    @Override
    public void close(int move, Hold hold) {
      assertThat(closed.add(move)).as("closed once").isTrue();
    }

    @Override
    public void open(int move) {
      assertThat(closed.remove(move)).as("opened once").isTrue();
    }

    @Override
    public void answer(int move, String whyNot) {
      Mover waiting = mover;
      if (waiting != null && waiting.number == move) {
        assertThat(waiting.answer == null || !waits).as("answered once").isTrue();
        waiting.answer = waiting.answer == null ? whyNot : waiting.answer;
      }
    }

    boolean begin() {
      if (statement != null || !closed.isEmpty()) {
        return false;
      }
      int shard = random.nextInt(SHARDS);
      statement = new Statement(shard, map[shard]);
      return true;
    }

    boolean execute() {
      Statement now = statement;
      // The moving transaction holds the lock of the table.
      if (now == null || !shards.get(now.shard).marks.isEmpty()) {
        return false;
      }
      assertThat(now.version).as("the table's version").isEqualTo(shards.get(now.shard).version);
      executed++;
      statement = null;
      return true;
    }

    boolean cancel() {
      boolean cancels = statement != null && !closed.isEmpty();
      statement = cancels ? null : statement;
      return cancels;
    }

    boolean clear() {
      if (statement != null || closed.isEmpty()) {
        return false;
      }
      closed.forEach(moves::clear);
      return true;
    }

    boolean watch(int shard) {
      Shard there = shards.get(shard);
      Moves.Look look = looks.get(shard);
      if (processes[shard] == 0) {
        processes[shard] = ++lastProcess;
        there.listeners.put(processes[shard], new ArrayDeque<>());
      } else if (!joined[shard]) {
        joined[shard] = true;
        moves.joined(shard, Set.copyOf(there.marks));
      } else if (look != null) {
        looks.set(shard, null);
        moves.shows(shard, look, Set.copyOf(there.marks), Set.copyOf(there.listeners.keySet()));
      } else {
        looks.set(shard, moves.look());
        moves.toAnswer(shard).forEach(move -> there.say(new Heard(null, move, processes[shard])));
      }
      return true;
    }

    boolean hear(int shard) {
      Deque<Heard> queue = shards.get(shard).listeners.get(processes[shard]);
      if (!joined[shard] || queue == null || queue.isEmpty()) {
        return false;
      }
      Heard next = queue.remove();
      Hold hold = next.asked();
      if (hold != null) {
        moves.heard(next.move(), shard, hold);
      } else {
        moves.answered(next.move(), shard, next.process());
      }
      return true;
    }

    /** A part of reading the map: begins, takes one shard, or ends. */
    boolean readOn(boolean reachable) {
      if (reading == null) {
        reading = moves.read();
        read.clear();
        return reading != null;
      }
      for (int shard = 0; shard < SHARDS; shard++) {
        if (!read.contains(shard)) {
          read.add(shard);
          map[shard] = shards.get(shard).version;
          return true;
        }
      }
      Moves.MapReading what = reading;
      reading = null;
      moves.hasRead(what, reachable ? Set.of(0, 1) : Set.of(random.nextInt(SHARDS)));
      return true;
    }

    boolean lose(int shard) {
      if (processes[shard] == 0) {
        return false;
      }
      shards.get(shard).listeners.remove(processes[shard]);
      processes[shard] = 0;
      looks.set(shard, null);
      joined[shard] = false;
      moves.lost(shard);
      if (Arrays.stream(processes).sum() == 0) {
        statement = null; // present nowhere it cancels what is under way: at once, for this model
      }
      return true;
    }

    /** Its process ends, and another begins; a commit that was decided is ended by recovery. */
    boolean kill() {
      Mover own = mover;
      if (own != null && own.proxy == this && own.answer == null) {
        own.answer = "killed";
      }
      for (int shard = 0; shard < SHARDS; shard++) {
        shards.get(shard).listeners.remove(processes[shard]);
        processes[shard] = 0;
        joined[shard] = false;
        map[shard] = shards.get(shard).version; // read at start
      }
      start();
      return true;
    }
  }

  /** One step of anybody; faults are rare. */
  void step(boolean faults) {
    Proxy proxy = proxies.get(random.nextInt(proxies.size()));
    int shard = random.nextInt(SHARDS);
    boolean fault = faults && random.nextInt(STEPS_PER_FAULT) == 0;
    boolean unused = fault ? fault(proxy, shard) : step(proxy, shard, faults);
  }

  private boolean step(Proxy proxy, int shard, boolean faults) {
    return switch (random.nextInt(11)) {
      case 0 -> proxy.begin();
      case 1 -> proxy.execute();
      case 2 -> random.nextInt(3) == 0 && proxy.cancel();
      case 3 -> proxy.clear();
      case 4, 5 -> proxy.watch(shard);
      case 6, 7 -> proxy.hear(shard);
      case 8 -> proxy.readOn(!faults || random.nextInt(4) > 0);
      default -> moverStep(proxy, faults && random.nextInt(STEPS_PER_MOVE) == 0);
    };
  }

  private boolean fault(Proxy proxy, int shard) {
    return switch (random.nextInt(4)) {
      case 0 -> proxy.kill();
      case 1 -> giveUp();
      default -> proxy.lose(shard);
    };
  }

  private boolean giveUp() {
    Mover now = mover;
    if (now != null) {
      now.proxy.moves.fail(now.number, "time is over");
    }
    return now != null;
  }

  private boolean moverStep(Proxy proxy, boolean begins) {
    Mover now = mover;
    if (now == null && begins) {
      // In the constructor the move may be refused at once.
      Mover next = new Mover(proxy);
      mover = next;
      if (proxy.moves.waitsFor(next.number, Integer::toString).isEmpty()) {
        next.answer = "refused";
      }
    }
    return now != null && now.step();
  }

  /** Without faults and movers all gates open after a while, and statements are executed. */
  void settle(int most) {
    int before = executed;
    BooleanSupplier settled =
        () ->
            mover == null
                && executed > before + proxies.size()
                && proxies.stream().allMatch(proxy -> proxy.closed.isEmpty());
    for (int i = 0; i < most && !settled.getAsBoolean(); i++) {
      if (i == most / 2) {
        giveUp();
      }
      step(false);
    }
    assertThat(settled.getAsBoolean()).as("all gates are open in the end").isTrue();
  }

  int movesDone() {
    return movesDone;
  }

  int executed() {
    return executed;
  }
}
