package io.shardmark.sql.history;

import io.shardmark.sql.history.Anomaly.Phenomenon;
import io.shardmark.sql.history.Dependencies.Reason;
import io.shardmark.sql.history.HistoryTransaction.Append;
import io.shardmark.sql.history.HistoryTransaction.Ending;
import io.shardmark.sql.history.HistoryTransaction.Read;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Finds anomalies. A list that is read whole says in which order transactions have appended to it,
 * so who comes after whom is known and need not be guessed: a transaction comes after those whose
 * values it has read or appended after, and before those that have appended after what it has read.
 * Transactions that cannot be put in any such order are a cycle.
 *
 * <p>The time is that of reading the history but for the shortest cycles, of which a bounded number
 * is looked at. It is less if the history is in the order in which the transactions ended.
 */
public final class HistoryCheck {
  /** So many edges are tried for a cycle that is shorter than the ones found. */
  private static final int MOST_TRIED = 1000;

  private static final int NONE = -1;
  private static final int[] UNRANKED = new int[0];

  private final List<HistoryTransaction> history;

  /** Place of the transaction that has appended each value. */
  private final Map<Integer, Integer> writers = new HashMap<>();

  /** The longest that was read of each list, but for what was rolled back. */
  private final Map<Integer, List<Integer>> orders = new TreeMap<>();

  /** Transactions of which a reader has seen something, by the number of the look. */
  private final int[] rounds;

  private int round;

  /** Transactions that have ended as committed, as their clients or who reads from them know. */
  private final BitSet committed;

  private final Set<Integer> lost = new HashSet<>();
  private final Dependencies after;
  private final List<Anomaly> found = new ArrayList<>();

  private HistoryCheck(List<HistoryTransaction> history) {
    this.history = history;
    rounds = new int[history.size()];
    committed = new BitSet(history.size());
    after = new Dependencies(history.size());
  }

  /** All anomalies of a history but cycles; of these one of the worst kind that there is. */
  public static List<Anomaly> anomalies(List<HistoryTransaction> history) {
    return anomalies(history, List.of());
  }

  /**
   * The same without what comes of lost appends alone.
   *
   * @param lost which no read can have shown
   */
  public static List<Anomaly> anomalies(List<HistoryTransaction> history, List<LostAppend> lost) {
    HistoryCheck check = new HistoryCheck(List.copyOf(history));
    lost.forEach(append -> check.lost.add(append.value()));
    check.index();
    check.committed.stream().forEach(check::checkValues);
    check.committed.stream().forEach(check::checkTorn);
    check.checkUpdates();
    check.connect();
    check.findCycles();
    return List.copyOf(check.found);
  }

  /** An append of a transaction that its server said was committed, and that its list lacks. */
  public record LostAppend(int transaction, int list, int value) {
    @Override
    public String toString() {
      return "T%d appended %d to list %d and committed".formatted(transaction, value, list);
    }
  }

  /**
   * Appends that are lost. No level of isolation permits that or excludes it: it is a matter of
   * what a commit survives.
   *
   * @param last all lists after the last transaction; one that is not there is empty
   */
  public static List<LostAppend> lostAppends(
      List<HistoryTransaction> history, Map<Integer, List<Integer>> last) {
    Map<Integer, Set<Integer>> kept = new HashMap<>();
    last.forEach((list, values) -> kept.put(list, new HashSet<>(values)));
    List<LostAppend> lost = new ArrayList<>();
    for (HistoryTransaction one : history) {
      for (HistoryTransaction.HistoryStatement statement : one.statements()) {
        if (one.ending() == Ending.COMMITTED
            && statement instanceof Append append
            && !kept.getOrDefault(append.list(), Set.of()).contains(append.value())) {
          lost.add(new LostAppend(one.number(), append.list(), append.value()));
        }
      }
    }
    return lost;
  }

  private void index() {
    for (int i = 0; i < history.size(); i++) {
      for (HistoryTransaction.HistoryStatement statement : history.get(i).statements()) {
        if (statement instanceof Append append && writers.put(append.value(), i) != null) {
          throw new IllegalArgumentException("value " + append.value() + " is appended twice");
        }
      }
    }
    findCommitted();
    committed.stream().forEach(place -> forEachRead(place, this::order));
  }

  /** Who is said to be committed, and who of unknown end has been read from by those. */
  private void findCommitted() {
    Deque<Integer> known = new ArrayDeque<>();
    boolean guesses = false;
    for (int i = 0; i < history.size(); i++) {
      guesses |= history.get(i).ending() == Ending.UNKNOWN;
      if (history.get(i).ending() == Ending.COMMITTED) {
        known.add(i);
      }
    }
    known.forEach(committed::set);
    while (guesses && !known.isEmpty()) {
      forEachRead(
          known.remove(),
          (list, values) ->
              values.stream()
                  .map(this::writer)
                  .filter(writer -> writer != NONE && !committed.get(writer))
                  .filter(writer -> history.get(writer).ending() == Ending.UNKNOWN)
                  .forEach(
                      writer -> {
                        committed.set(writer);
                        known.add(writer);
                      }));
    }
  }

  private void order(int list, List<Integer> values) {
    orders.merge(list, lasting(values), (known, next) -> next.size() > known.size() ? next : known);
  }

  /** Without what was rolled back: it has no place in an order, and is an aborted read. */
  private List<Integer> lasting(List<Integer> values) {
    return values.stream().filter(value -> !isAborted(writer(value))).toList();
  }

  private boolean isAborted(int writer) {
    return writer != NONE && history.get(writer).ending() == Ending.ABORTED;
  }

  private List<Read> reads(int place) {
    return history.get(place).statements().stream()
        .filter(Read.class::isInstance)
        .map(Read.class::cast)
        .toList();
  }

  /** Takes each list that a transaction has read, with its values. */
  private void forEachRead(int place, BiConsumer<Integer, List<Integer>> taker) {
    reads(place).forEach(read -> read.lists().forEach(taker));
  }

  private int writer(int value) {
    return writers.getOrDefault(value, NONE);
  }

  private int number(int place) {
    return history.get(place).number();
  }

  private void report(Phenomenon phenomenon, List<Integer> places, String detail) {
    found.add(new Anomaly(phenomenon, places.stream().map(this::number).toList(), detail));
  }

  // ---- what a single read shows ----

  private void checkValues(int reader) {
    Map<Integer, List<Integer>> own = new HashMap<>();
    for (HistoryTransaction.HistoryStatement statement : history.get(reader).statements()) {
      if (statement instanceof Append append) {
        own.computeIfAbsent(append.list(), none -> new ArrayList<>()).add(append.value());
      } else if (statement instanceof Read read) {
        read.lists()
            .forEach(
                (list, values) -> {
                  checkOwn(reader, list, values, own.getOrDefault(list, List.of()));
                  checkValues(reader, list, values);
                });
      }
    }
  }

  private void checkOwn(int reader, int list, List<Integer> values, List<Integer> own) {
    List<Integer> read = values.stream().filter(value -> writer(value) == reader).toList();
    if (!read.equals(own)) {
      report(
          Phenomenon.INTERNAL,
          List.of(reader),
          "list %d has %s that it has appended itself instead of %s".formatted(list, read, own));
    }
  }

  private void checkValues(int reader, int list, List<Integer> values) {
    List<Integer> order = orders.getOrDefault(list, List.of());
    List<Integer> lasting = lasting(values);
    if (!order.subList(0, lasting.size()).equals(lasting)) {
      report(
          Phenomenon.NO_ORDER, List.of(reader), "list " + list + " is " + values + " and " + order);
    }
    for (int value : values) {
      int writer = writer(value);
      if (writer == NONE || isAborted(writer)) {
        report(
            Phenomenon.ABORTED_READ,
            writer == NONE ? List.of(reader) : List.of(writer, reader),
            "list " + list + " has " + value);
      }
    }
    if (!values.isEmpty()) {
      int last = values.get(values.size() - 1);
      int writer = writer(last);
      if (writer != NONE && writer != reader && isFollowed(writer, list, last)) {
        report(
            Phenomenon.INTERMEDIATE_READ,
            List.of(writer, reader),
            "list " + list + " ends with " + last);
      }
    }
  }

  /** Whether a transaction has appended another value to the list after this one. */
  private boolean isFollowed(int writer, int list, int value) {
    int last = value;
    for (HistoryTransaction.HistoryStatement statement : history.get(writer).statements()) {
      if (statement instanceof Append append && append.list() == list) {
        last = append.value();
      }
    }
    return last != value;
  }

  // ---- parts of transactions ----

  private void checkTorn(int reader) {
    Map<Integer, List<Integer>> first = new LinkedHashMap<>();
    for (Read read : reads(reader)) {
      checkTorn(Phenomenon.TORN_STATEMENT, reader, read.lists());
      read.lists().forEach(first::putIfAbsent);
    }
    checkTorn(Phenomenon.TORN_TRANSACTION, reader, first);
  }

  private void checkTorn(Phenomenon phenomenon, int reader, Map<Integer, List<Integer>> lists) {
    round++;
    for (List<Integer> values : lists.values()) {
      for (int value : values) {
        int writer = writer(value);
        if (writer != NONE && writer != reader && rounds[writer] != round) {
          rounds[writer] = round;
          checkTorn(phenomenon, reader, writer, lists);
        }
      }
    }
  }

  private void checkTorn(
      Phenomenon phenomenon, int reader, int writer, Map<Integer, List<Integer>> lists) {
    for (HistoryTransaction.HistoryStatement statement : history.get(writer).statements()) {
      if (statement instanceof Append append
          && lists.containsKey(append.list())
          && !lists.getOrDefault(append.list(), List.of()).contains(append.value())) {
        report(
            phenomenon,
            List.of(writer, reader),
            "list " + append.list() + " lacks " + append.value());
      }
    }
  }

  // ---- updates of what was read ----

  /** A list as a transaction has read it before it appended to it. */
  private record Version(int list, int length) {}

  private void checkUpdates() {
    Map<Version, Integer> updaters = new HashMap<>();
    for (int i : committed.stream().toArray()) {
      Map<Integer, Integer> read = new LinkedHashMap<>();
      Set<Integer> appended = new TreeSet<>();
      for (HistoryTransaction.HistoryStatement statement : history.get(i).statements()) {
        if (statement instanceof Read one) {
          one.lists().forEach((list, values) -> read.putIfAbsent(list, values.size()));
        } else if (statement instanceof Append append && appended.add(append.list())) {
          Integer length = read.putIfAbsent(append.list(), NONE);
          if (length != null) {
            Integer other = updaters.putIfAbsent(new Version(append.list(), length), i);
            if (other != null) {
              report(
                  Phenomenon.LOST_UPDATE,
                  List.of(other, i),
                  "both read list %d with %d values and append to it"
                      .formatted(append.list(), length));
            }
          }
        }
      }
    }
  }

  // ---- cycles ----

  private void connect() {
    orders.forEach(
        (list, order) -> {
          for (int i = 1; i < order.size(); i++) {
            connect(writer(order.get(i - 1)), writer(order.get(i)), Reason.APPENDED_AFTER, list);
          }
        });
    Map<Integer, List<Integer>> unread = unread();
    unread.forEach(
        (list, writers) -> {
          List<Integer> order = orders.getOrDefault(list, List.of());
          if (!order.isEmpty()) {
            int last = writer(order.get(order.size() - 1));
            writers.forEach(writer -> connect(last, writer, Reason.APPENDED_AFTER, list));
          }
        });
    committed.stream()
        .forEach(
            reader ->
                forEachRead(
                    reader,
                    (list, values) ->
                        connect(
                            reader, list, lasting(values), unread.getOrDefault(list, List.of()))));
  }

  /** By list, who has appended what no read shows: that comes after all that is read of it. */
  private Map<Integer, List<Integer>> unread() {
    Set<Integer> read = new HashSet<>(lost);
    orders.values().forEach(read::addAll);
    Map<Integer, List<Integer>> unread = new TreeMap<>();
    committed.stream()
        .forEach(
            place -> {
              for (HistoryTransaction.HistoryStatement statement :
                  history.get(place).statements()) {
                if (statement instanceof Append append && !read.contains(append.value())) {
                  unread.computeIfAbsent(append.list(), none -> new ArrayList<>()).add(place);
                }
              }
            });
    return unread;
  }

  private void connect(int reader, int list, List<Integer> values, List<Integer> unread) {
    List<Integer> order = orders.getOrDefault(list, List.of());
    if (!values.isEmpty()) {
      connect(writer(values.get(values.size() - 1)), reader, Reason.READ_FROM, list);
    }
    if (values.size() < order.size()) {
      connect(reader, writer(order.get(values.size())), Reason.NOT_SEEN, list);
    } else {
      unread.forEach(writer -> connect(reader, writer, Reason.NOT_SEEN, list));
    }
  }

  private void connect(int from, int to, Reason reason, int list) {
    if (from != NONE && to != NONE) {
      after.add(from, to, reason, list);
    }
  }

  private void findCycles() {
    Set<Reason> appends = EnumSet.of(Reason.APPENDED_AFTER);
    Set<Reason> informed = EnumSet.of(Reason.APPENDED_AFTER, Reason.READ_FROM);
    Set<Reason> not = EnumSet.of(Reason.NOT_SEEN);
    // Each kind is looked for only where the ones before it, which are worse, are not.
    boolean unused =
        findCycle(Phenomenon.DIRTY_WRITE, appends, appends)
            || findCycle(Phenomenon.CIRCULAR_INFORMATION, informed, informed)
            || findWithoutTwoUnseen(informed)
            || findCycle(Phenomenon.ANTI_DEPENDENCY_CYCLE, not, Dependencies.all());
  }

  /** A short cycle that begins with one of these edges and goes on by those. */
  private boolean findCycle(Phenomenon phenomenon, Set<Reason> begin, Set<Reason> rest) {
    Graph graph = after.graph(rest);
    int[] component = graph.components();
    Graph.Search search = graph.new Search(component);
    int[] shortest = UNRANKED;
    for (int edge = 0, tried = 0; edge < after.edges() && tried < MOST_TRIED; edge++) {
      if (begin.contains(after.reason(edge))
          && component[after.from(edge)] == component[after.to(edge)]) {
        tried++;
        shortest = shorter(shortest, search, after.to(edge), after.from(edge), UNRANKED);
      }
    }
    return reportCycle(phenomenon, shortest, begin);
  }

  private static int[] shorter(int[] shortest, Graph.Search search, int from, int to, int[] ranks) {
    int most = shortest.length == 0 ? Integer.MAX_VALUE : shortest.length - 1;
    int[] path = search.path(from, to, most, ranks);
    return path.length == 0 ? shortest : path;
  }

  /** Read skew or, where there is none, a long fork: what no snapshots explain. */
  private boolean findWithoutTwoUnseen(Set<Reason> informed) {
    Graph walks = after.withoutTwoUnseenInARow();
    int[] component = walks.components();
    List<Integer> edges = new ArrayList<>();
    for (int edge = 0; edge < after.edges(); edge++) {
      if (after.reason(edge) == Reason.NOT_SEEN
          && component[2 * after.from(edge)] == component[2 * after.to(edge) + 1]) {
        edges.add(edge);
      }
    }
    if (edges.isEmpty()) {
      return false;
    }
    Set<Reason> not = EnumSet.of(Reason.NOT_SEEN);
    Graph graph = after.graph(informed);
    Graph.Search search = graph.new Search(new int[after.nodes()]);
    int[] ranks = graph.ranks();
    int[] shortest = UNRANKED;
    for (int i = 0, tried = 0; i < edges.size() && tried < MOST_TRIED; i++) {
      int edge = edges.get(i);
      shortest = shorter(shortest, search, after.to(edge), after.from(edge), ranks);
      tried += shortest.length == 0 ? 0 : 1;
    }
    if (reportCycle(Phenomenon.READ_SKEW, shortest, not)) {
      return true;
    }
    Graph.Search walk = walks.new Search(component);
    for (int edge : edges.subList(0, Math.min(MOST_TRIED, edges.size()))) {
      shortest = shorter(shortest, walk, 2 * after.to(edge) + 1, 2 * after.from(edge), UNRANKED);
    }
    for (int i = 0; i < shortest.length; i++) {
      shortest[i] /= 2;
    }
    return reportCycle(Phenomenon.LONG_FORK, shortest, not);
  }

  /**
   * @param cycle the second transaction first, the first one last
   * @param begin why the second comes after the first
   */
  private boolean reportCycle(Phenomenon phenomenon, int[] cycle, Set<Reason> begin) {
    if (cycle.length == 0) {
      return false;
    }
    List<Integer> places = new ArrayList<>(List.of(cycle[cycle.length - 1]));
    for (int i = 0; i < cycle.length - 1; i++) {
      places.add(cycle[i]);
    }
    List<String> sentences = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      int to = places.get((i + 1) % places.size());
      sentences.add(sentence(places.get(i), to, i == 0 ? begin : Dependencies.all()));
    }
    report(phenomenon, places, String.join("; ", sentences));
    return true;
  }

  private String sentence(int from, int to, Set<Reason> reasons) {
    int best = NONE;
    for (int edge = 0; edge < after.edges(); edge++) {
      if (after.from(edge) == from
          && after.to(edge) == to
          && reasons.contains(after.reason(edge))
          && (best == NONE || after.reason(edge).compareTo(after.reason(best)) < 0)) {
        best = edge;
      }
    }
    return after.reason(best).sentence(number(from), number(to), after.list(best));
  }
}
