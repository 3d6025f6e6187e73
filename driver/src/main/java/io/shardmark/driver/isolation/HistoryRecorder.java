package io.shardmark.driver.isolation;

import io.shardmark.sql.history.HistoryTransaction;
import io.shardmark.sql.history.HistoryTransaction.Append;
import io.shardmark.sql.history.HistoryTransaction.Ending;
import io.shardmark.sql.history.HistoryTransaction.Read;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What the transactions of a run have seen, in the order of their ends. Safe on any thread. */
final class HistoryRecorder {
  private final ConcurrentLinkedQueue<HistoryTransaction> transactions =
      new ConcurrentLinkedQueue<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger values = new AtomicInteger();
  private final AtomicInteger appends = new AtomicInteger();

  /** A value that no list has. */
  int nextValue() {
    appends.incrementAndGet();
    return values.incrementAndGet();
  }

  /** Appends that were begun in this run. */
  int appends() {
    return appends.get();
  }

  /** Transactions so far. */
  int size() {
    return numbers.get();
  }

  void add(Ending ending, List<HistoryTransaction.HistoryStatement> statements) {
    transactions.add(new HistoryTransaction(numbers.incrementAndGet(), ending, statements));
  }

  /** Takes what is in the lists before the first transaction for one that has committed. */
  void begin(Map<Integer, List<Integer>> lists) {
    List<HistoryTransaction.HistoryStatement> statements = new ArrayList<>();
    lists.forEach(
        (list, contents) ->
            contents.forEach(
                value -> {
                  statements.add(new Append(list, value));
                  values.accumulateAndGet(value, Math::max);
                }));
    add(Ending.COMMITTED, statements);
  }

  /** Takes what is in the lists after the last transaction, so that each order is known. */
  void end(Map<Integer, List<Integer>> lists) {
    add(Ending.COMMITTED, List.of(new Read(lists)));
  }

  List<HistoryTransaction> history() {
    return List.copyOf(transactions);
  }

  /** The rows of a query of ids and texts. */
  static Map<Integer, List<Integer>> lists(PreparedStatement query) throws SQLException {
    Map<Integer, List<Integer>> lists = new TreeMap<>();
    try (ResultSet rows = query.executeQuery()) {
      while (rows.next()) {
        lists.put(rows.getInt(1), values(rows.getString(2)));
      }
    }
    return lists;
  }

  /** The values of a list's text, {@code 4,17,} for example. */
  static List<Integer> values(String text) {
    List<Integer> values = new ArrayList<>();
    int from = 0;
    for (int comma = text.indexOf(','); comma >= 0; comma = text.indexOf(',', from)) {
      values.add(Integer.parseInt(text, from, comma, 10));
      from = comma + 1;
    }
    return List.copyOf(values);
  }
}
