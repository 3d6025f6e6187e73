package io.shardmark.sql.history;

import io.shardmark.sql.history.Anomaly.Phenomenon;
import io.shardmark.sql.history.HistoryTransaction.Append;
import io.shardmark.sql.history.HistoryTransaction.Ending;
import io.shardmark.sql.history.HistoryTransaction.Read;
import io.shardmark.sql.history.HistoryTransaction.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds anomalies. A list that is read whole says in which order transactions have appended to it,
 * so who comes after whom is known and need not be guessed: a transaction comes after those whose
 * values it has read or appended after, and before those that have appended after what it has read.
 * Transactions that cannot be put in any such order are a cycle.
 */
public final class HistoryCheck {
  /** Why one transaction comes after another. */
  private enum Reason {
    APPENDED_AFTER,
    READ_FROM,
    NOT_SEEN
  }

  private final List<HistoryTransaction> transactions;
  private final Map<Integer, HistoryTransaction> byNumber = new HashMap<>();

  /** The transaction that has appended each value. */
  private final Map<Integer, Integer> writers = new HashMap<>();

  /** The longest that was read of each list. */
  private final Map<Integer, List<Integer>> orders = new TreeMap<>();

  private final Map<Integer, Map<Integer, Set<Reason>>> after = new TreeMap<>();
  private final List<Anomaly> found = new ArrayList<>();

  private HistoryCheck(List<HistoryTransaction> transactions) {
    this.transactions = transactions;
  }

  /** All kinds of anomalies of a history; of cycles one of each kind. */
  public static List<Anomaly> anomalies(List<HistoryTransaction> history) {
    HistoryCheck check = new HistoryCheck(List.copyOf(history));
    check.index();
    check.checkValues();
    check.checkTorn();
    check.connect();
    check.findCycles();
    return List.copyOf(check.found);
  }

  private void index() {
    for (HistoryTransaction one : transactions) {
      byNumber.put(one.number(), one);
      for (Statement statement : one.statements()) {
        if (statement instanceof Append append
            && writers.put(append.value(), one.number()) != null) {
          throw new IllegalArgumentException("value " + append.value() + " is appended twice");
        }
      }
    }
    for (HistoryTransaction one : transactions) {
      if (one.ending() == Ending.ABORTED) {
        continue;
      }
      for (Read read : reads(one)) {
        read.lists()
            .forEach(
                (list, values) ->
                    orders.merge(
                        list, values, (known, next) -> next.size() > known.size() ? next : known));
      }
    }
  }

  private static List<Read> reads(HistoryTransaction one) {
    return one.statements().stream().filter(Read.class::isInstance).map(Read.class::cast).toList();
  }

  private void report(Phenomenon phenomenon, List<Integer> numbers, String detail) {
    found.add(new Anomaly(phenomenon, numbers, detail));
  }

  // ---- what a single read shows ----

  private void checkValues() {
    for (HistoryTransaction one : transactions) {
      if (one.ending() == Ending.ABORTED) {
        continue;
      }
      for (Read read : reads(one)) {
        read.lists().forEach((list, values) -> checkValues(one, list, values));
      }
    }
  }

  private void checkValues(HistoryTransaction reader, int list, List<Integer> values) {
    List<Integer> order = orders.getOrDefault(list, List.of());
    if (!order.subList(0, values.size()).equals(values)) {
      report(
          Phenomenon.NO_ORDER,
          List.of(reader.number()),
          "list " + list + " is " + values + " and " + order);
    }
    for (int value : values) {
      HistoryTransaction writer = byNumber.get(writers.getOrDefault(value, -1));
      if (writer == null || writer.ending() == Ending.ABORTED) {
        report(
            Phenomenon.ABORTED_READ,
            writer == null ? List.of(reader.number()) : List.of(writer.number(), reader.number()),
            "list " + list + " has " + value);
      }
    }
    Integer last = values.isEmpty() ? null : values.get(values.size() - 1);
    HistoryTransaction writer = last == null ? null : byNumber.get(writers.getOrDefault(last, -1));
    if (writer != null && writer.number() != reader.number()) {
      List<Integer> own = appended(writer, list);
      if (own.indexOf(last) < own.size() - 1) {
        report(
            Phenomenon.INTERMEDIATE_READ,
            List.of(writer.number(), reader.number()),
            "list " + list + " ends with " + last);
      }
    }
  }

  private static List<Integer> appended(HistoryTransaction one, int list) {
    List<Integer> values = new ArrayList<>();
    for (Statement statement : one.statements()) {
      if (statement instanceof Append append && append.list() == list) {
        values.add(append.value());
      }
    }
    return values;
  }

  // ---- parts of transactions ----

  private void checkTorn() {
    for (HistoryTransaction reader : transactions) {
      if (reader.ending() == Ending.ABORTED) {
        continue;
      }
      Map<Integer, List<Integer>> first = new LinkedHashMap<>();
      for (Read read : reads(reader)) {
        checkTorn(Phenomenon.TORN_STATEMENT, reader, read.lists());
        read.lists().forEach(first::putIfAbsent);
      }
      checkTorn(Phenomenon.TORN_TRANSACTION, reader, first);
    }
  }

  private void checkTorn(
      Phenomenon phenomenon, HistoryTransaction reader, Map<Integer, List<Integer>> lists) {
    Map<Integer, HistoryTransaction> seen = new TreeMap<>();
    for (List<Integer> values : lists.values()) {
      for (int value : values) {
        HistoryTransaction writer = byNumber.get(writers.getOrDefault(value, -1));
        if (writer != null && writer.number() != reader.number()) {
          seen.put(writer.number(), writer);
        }
      }
    }
    for (HistoryTransaction writer : seen.values()) {
      for (Statement statement : writer.statements()) {
        if (statement instanceof Append append
            && lists.containsKey(append.list())
            && !lists.getOrDefault(append.list(), List.of()).contains(append.value())) {
          report(
              phenomenon,
              List.of(writer.number(), reader.number()),
              "list " + append.list() + " lacks " + append.value());
        }
      }
    }
  }

  // ---- cycles ----

  private void connect() {
    orders.forEach(
        (list, order) -> {
          for (int i = 1; i < order.size(); i++) {
            edge(order.get(i - 1), order.get(i), Reason.APPENDED_AFTER);
          }
        });
    for (HistoryTransaction reader : transactions) {
      if (reader.ending() == Ending.ABORTED) {
        continue;
      }
      for (Read read : reads(reader)) {
        read.lists()
            .forEach(
                (list, values) -> {
                  List<Integer> order = orders.getOrDefault(list, List.of());
                  if (!values.isEmpty()) {
                    connect(
                        writers.get(values.get(values.size() - 1)),
                        reader.number(),
                        Reason.READ_FROM);
                  }
                  if (values.size() < order.size()) {
                    connect(
                        reader.number(), writers.get(order.get(values.size())), Reason.NOT_SEEN);
                  }
                });
      }
    }
  }

  private void edge(int value, int next, Reason reason) {
    connect(writers.get(value), writers.get(next), reason);
  }

  private void connect(@Nullable Integer from, @Nullable Integer to, Reason reason) {
    if (from != null && to != null && !from.equals(to)) {
      after
          .computeIfAbsent(from, none -> new TreeMap<>())
          .computeIfAbsent(to, none -> EnumSet.noneOf(Reason.class))
          .add(reason);
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
            || findCycle(Phenomenon.READ_SKEW, not, informed)
            || findCycle(Phenomenon.ANTI_DEPENDENCY_CYCLE, not, EnumSet.allOf(Reason.class));
  }

  /** The shortest cycle that begins with one of these edges and goes on by those. */
  private boolean findCycle(Phenomenon phenomenon, Set<Reason> begin, Set<Reason> rest) {
    List<Integer> shortest = List.of();
    for (int from : after.keySet()) {
      for (int to : next(from, begin)) {
        List<Integer> path = path(to, from, rest);
        if (!path.isEmpty() && (shortest.isEmpty() || path.size() < shortest.size())) {
          shortest = path;
        }
      }
    }
    if (!shortest.isEmpty()) {
      report(phenomenon, shortest, "a cycle of " + shortest.size());
    }
    return !shortest.isEmpty();
  }

  private List<Integer> next(int from, Set<Reason> reasons) {
    return after.getOrDefault(from, Map.of()).entrySet().stream()
        .filter(edge -> edge.getValue().stream().anyMatch(reasons::contains))
        .map(Map.Entry::getKey)
        .toList();
  }

  private List<Integer> path(int from, int to, Set<Reason> reasons) {
    Map<Integer, Integer> before = new HashMap<>();
    Deque<Integer> open = new ArrayDeque<>(List.of(from));
    Set<Integer> seen = new HashSet<>(open);
    while (!open.isEmpty()) {
      int at = open.remove();
      if (at == to) {
        Deque<Integer> path = new ArrayDeque<>();
        for (Integer step = at; step != null; step = before.get(step)) {
          path.addFirst(step);
        }
        return List.copyOf(path);
      }
      for (int next : next(at, reasons)) {
        if (seen.add(next)) {
          before.put(next, at);
          open.add(next);
        }
      }
    }
    return List.of();
  }
}
