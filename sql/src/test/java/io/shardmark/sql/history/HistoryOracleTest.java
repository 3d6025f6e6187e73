package io.shardmark.sql.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.sql.history.Anomaly.Phenomenon;
import io.shardmark.sql.history.HistoryTransaction.Append;
import io.shardmark.sql.history.HistoryTransaction.Ending;
import io.shardmark.sql.history.HistoryTransaction.Read;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Random small histories, judged a second time by trying all serial orders and all snapshots. Of
 * most of them the order of each list is known, because a last transaction reads it. Where it is
 * not, what is found must be an anomaly in each order that there may be.
 */
final class HistoryOracleTest {
  private static final int HISTORIES = Integer.getInteger("shardmark.histories", 3000);
  private static final int LISTS = 2;
  private static final int MOST_TRANSACTIONS = 4;

  /** What snapshots permit. */
  private static final Set<Phenomenon> OF_SNAPSHOTS = EnumSet.of(Phenomenon.ANTI_DEPENDENCY_CYCLE);

  private static Set<Phenomenon> found(List<HistoryTransaction> history) {
    return HistoryCheck.anomalies(history).stream()
        .map(Anomaly::phenomenon)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Phenomenon.class)));
  }

  @Test
  void agreesWithAllSerialOrdersAndAllSnapshots() {
    Map<String, Integer> classes = new HashMap<>();
    for (int seed = 0; seed < HISTORIES; seed++) {
      List<HistoryTransaction> history = random(new Random(seed));
      Set<Phenomenon> found = found(history);
      boolean serializable = isSerializable(history);
      boolean snapshots = hasSnapshots(history);
      String described = "seed %d: %s: %s".formatted(seed, history, found);
      boolean ordered = isOrdered(history);
      if (serializable || ordered) {
        assertThat(found.isEmpty()).as("serializable: %s", described).isEqualTo(serializable);
      }
      if (snapshots || ordered) {
        assertThat(OF_SNAPSHOTS.containsAll(found))
            .as("snapshots: %s", described)
            .isEqualTo(snapshots);
      }
      if (!found.isEmpty() && unread(history).values().stream().anyMatch(one -> one > 0)) {
        classes.merge("found with an unread append", 1, Integer::sum);
      }
      if (found.contains(Phenomenon.LOST_UPDATE) || found.contains(Phenomenon.TORN_TRANSACTION)) {
        assertThat(snapshots).as(described).isFalse();
      }
      classes.merge(serializable ? "serial" : snapshots ? "snapshots" : "neither", 1, Integer::sum);
      found.forEach(one -> classes.merge(one.name(), 1, Integer::sum));
    }
    // Each class must have been there often enough for the test to say something.
    assertThat(classes.entrySet().stream().filter(one -> one.getValue() >= HISTORIES / 200))
        .as("%s", classes)
        .extracting(Map.Entry::getKey)
        .contains(
            "serial",
            "snapshots",
            "neither",
            "found with an unread append",
            "DIRTY_WRITE",
            "CIRCULAR_INFORMATION",
            "LOST_UPDATE",
            "READ_SKEW",
            "TORN_TRANSACTION",
            "ANTI_DEPENDENCY_CYCLE");
  }

  /**
   * Draws transactions, an order of the appends to each list, and for each read how much of it was
   * there: its transaction's own appends at least, if it has any.
   */
  private static List<HistoryTransaction> random(Random random) {
    int count = 2 + random.nextInt(MOST_TRANSACTIONS - 1);
    List<List<HistoryTransaction.HistoryStatement>> drafts = new ArrayList<>();
    Map<Integer, List<Integer>> orders = new HashMap<>();
    Map<Integer, Integer> writers = new HashMap<>();
    int value = 0;
    for (int i = 0; i < count; i++) {
      List<HistoryTransaction.HistoryStatement> statements = new ArrayList<>();
      for (int s = 1 + random.nextInt(3); s > 0; s--) {
        int list = random.nextInt(LISTS);
        if (random.nextInt(5) < 2) {
          statements.add(new Append(list, ++value));
          writers.put(value, i);
          List<Integer> order = orders.computeIfAbsent(list, none -> new ArrayList<>());
          // Mostly at the end; in the order of the transaction's own appends.
          int own = order.size();
          while (own > 0 && writers.getOrDefault(order.get(own - 1), -1) != i) {
            own--;
          }
          int place =
              random.nextInt(4) > 0 ? order.size() : own + random.nextInt(order.size() - own + 1);
          order.add(place, value);
        } else {
          statements.add(new Read(Map.of(list, List.of())));
        }
      }
      drafts.add(statements);
    }
    List<HistoryTransaction> history = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<HistoryTransaction.HistoryStatement> statements = new ArrayList<>();
      Map<Integer, Integer> least = new HashMap<>();
      for (HistoryTransaction.HistoryStatement statement : drafts.get(i)) {
        if (statement instanceof Append append) {
          List<Integer> order = orders.getOrDefault(append.list(), List.of());
          least.put(append.list(), order.indexOf(append.value()) + 1);
          statements.add(append);
        } else {
          int list = ((Read) statement).lists().keySet().iterator().next();
          statements.add(new Read(Map.of(list, seen(random, list, orders, least))));
        }
      }
      history.add(new HistoryTransaction(i, Ending.COMMITTED, statements));
    }
    if (random.nextInt(4) > 0) {
      Map<Integer, List<Integer>> all = new HashMap<>();
      IntStream.range(0, LISTS)
          .forEach(list -> all.put(list, orders.getOrDefault(list, List.of())));
      history.add(new HistoryTransaction(count, Ending.COMMITTED, List.of(new Read(all))));
    }
    return history;
  }

  /** Whether no list has two appends whose order nobody has read. */
  private static boolean isOrdered(List<HistoryTransaction> history) {
    return unread(history).values().stream().allMatch(count -> count <= 1);
  }

  /** Appends to each list that are in no read. */
  private static Map<Integer, Integer> unread(List<HistoryTransaction> history) {
    Set<Integer> read = new HashSet<>();
    Map<Integer, Integer> unread = new HashMap<>();
    forEach(history, Read.class, one -> one.lists().values().forEach(read::addAll));
    forEach(
        history,
        Append.class,
        one -> unread.merge(one.list(), read.contains(one.value()) ? 0 : 1, Integer::sum));
    return unread;
  }

  private static <T> void forEach(
      List<HistoryTransaction> history, Class<T> kind, Consumer<T> taker) {
    history.stream()
        .flatMap(one -> one.statements().stream())
        .filter(kind::isInstance)
        .map(kind::cast)
        .forEach(taker);
  }

  private static List<Integer> seen(
      Random random, int list, Map<Integer, List<Integer>> orders, Map<Integer, Integer> least) {
    List<Integer> order = orders.getOrDefault(list, List.of());
    int own = least.getOrDefault(list, 0);
    // What a transaction has appended is the end of what it reads.
    int length = own > 0 ? own : random.nextInt(order.size() + 1);
    return List.copyOf(order.subList(0, length));
  }

  // ---- the second judge ----

  private static boolean isSerializable(List<HistoryTransaction> history) {
    return orders(history.size()).stream()
        .anyMatch(
            order -> {
              Map<Integer, List<Integer>> lists = new HashMap<>();
              return order.stream().allMatch(i -> runsOn(history.get(i), lists));
            });
  }

  /** Runs a transaction on the lists; false if a read gives something else there. */
  private static boolean runsOn(HistoryTransaction one, Map<Integer, List<Integer>> lists) {
    for (HistoryTransaction.HistoryStatement statement : one.statements()) {
      if (statement instanceof Append append) {
        lists.computeIfAbsent(append.list(), none -> new ArrayList<>()).add(append.value());
      } else if (!((Read) statement)
          .lists().entrySet().stream()
              .allMatch(
                  read -> lists.getOrDefault(read.getKey(), List.of()).equals(read.getValue()))) {
        return false;
      }
    }
    return true;
  }

  /** Whether there are an order of commits and a snapshot for each that explain all reads. */
  private static boolean hasSnapshots(List<HistoryTransaction> history) {
    return orders(history.size()).stream().anyMatch(order -> haveSnapshots(history, order));
  }

  private static boolean haveSnapshots(List<HistoryTransaction> history, List<Integer> order) {
    // states.get(n): the lists after n commits.
    List<Map<Integer, List<Integer>>> states = new ArrayList<>(List.of(Map.of()));
    for (int i : order) {
      Map<Integer, List<Integer>> next = copy(states.get(states.size() - 1));
      for (HistoryTransaction.HistoryStatement statement : history.get(i).statements()) {
        if (statement instanceof Append append) {
          next.computeIfAbsent(append.list(), none -> new ArrayList<>()).add(append.value());
        }
      }
      states.add(next);
    }
    for (int commit = 0; commit < order.size(); commit++) {
      HistoryTransaction one = history.get(order.get(commit));
      boolean any = false;
      for (int begin = commit; begin >= 0 && !any; begin--) {
        // The first committer wins: nobody else has appended to its lists since its begin.
        boolean alone = true;
        for (HistoryTransaction.HistoryStatement statement : one.statements()) {
          if (statement instanceof Append append) {
            alone &=
                size(states.get(begin), append.list()) == size(states.get(commit), append.list());
          }
        }
        any = alone && runsOn(one, copy(states.get(begin)));
      }
      if (!any) {
        return false;
      }
    }
    return true;
  }

  private static int size(Map<Integer, List<Integer>> lists, int list) {
    return lists.getOrDefault(list, List.of()).size();
  }

  private static Map<Integer, List<Integer>> copy(Map<Integer, List<Integer>> lists) {
    Map<Integer, List<Integer>> copy = new HashMap<>();
    lists.forEach((list, values) -> copy.put(list, new ArrayList<>(values)));
    return copy;
  }

  private static List<List<Integer>> orders(int count) {
    List<List<Integer>> orders = new ArrayList<>();
    permute(new ArrayList<>(IntStream.range(0, count).boxed().toList()), 0, orders);
    return orders;
  }

  private static void permute(List<Integer> items, int from, List<List<Integer>> orders) {
    if (from == items.size()) {
      orders.add(List.copyOf(items));
    }
    for (int i = from; i < items.size(); i++) {
      Collections.swap(items, from, i);
      permute(items, from + 1, orders);
      Collections.swap(items, from, i);
    }
  }
}
