package io.shardmark.driver.isolation;

import io.shardmark.config.ConfigException;
import io.shardmark.config.FirstLine;
import io.shardmark.driver.benchmark.Follower;
import io.shardmark.driver.guarantees.Guarantees;
import io.shardmark.driver.guarantees.Survival;
import io.shardmark.sql.history.Anomaly;
import io.shardmark.sql.history.Anomaly.Phenomenon;
import io.shardmark.sql.history.HistoryCheck;
import io.shardmark.sql.history.HistoryCheck.LostAppend;
import io.shardmark.sql.history.HistoryText;
import io.shardmark.sql.history.HistoryTransaction;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Checks the history when the last transaction has ended. */
final class HistoryFollower implements Follower {
  /** Anomalies that the level in force does not permit. */
  static final String NOT_PERMITTED = "notPermitted";

  /** Appends of committed transactions that no list has at the end. */
  static final String LOST_APPENDS = "lostAppends";

  private final HistoryRecorder recorder;
  private final Guarantees promised;
  private final ConnectionSource connections;
  private final Map<String, Double> figures = new LinkedHashMap<>();
  private final Map<String, String> found = new LinkedHashMap<>();
  private Consumer<String> notes = line -> {};

  /**
   * @param promised what of the history is permitted
   */
  HistoryFollower(HistoryRecorder recorder, Guarantees promised, ConnectionSource connections) {
    this.recorder = recorder;
    this.promised = promised;
    this.connections = connections;
  }

  @Override
  public void start(Consumer<String> noteLines) {
    notes = noteLines;
  }

  @Override
  public void beginInterval(long startNanos) {}

  @Override
  public void endInterval() {}

  @Override
  public void awaitRest(BooleanSupplier stopped) {
    List<LostAppend> lost = List.of();
    try (Connection connection = connections.open()) {
      // At a higher level a list that another transaction commits meanwhile cannot be locked.
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      Map<Integer, List<Integer>> last = last(connection);
      lost = HistoryCheck.lostAppends(recorder.history(), last);
      judgeLost(lost);
      recorder.end(last);
    } catch (SQLException | ConfigException e) {
      // The order of what was appended and never read is not known then; all else is.
      notes.accept("isolation: the lists were not read at the end: " + FirstLine.of(e));
    }
    judge(recorder.history(), lost);
  }

  /** All lists when no transaction is left: what is missing may be about to be committed. */
  private Map<Integer, List<Integer>> last(Connection connection) throws SQLException {
    Map<Integer, List<Integer>> lists = IsolationWorkload.contents(connection);
    connection.rollback();
    TreeSet<Integer> lacking = new TreeSet<>();
    HistoryCheck.lostAppends(recorder.history(), lists).forEach(lost -> lacking.add(lost.list()));
    for (int list : lacking) {
      IsolationWorkload.awaitWriter(connection, list);
      connection.rollback();
    }
    return lacking.isEmpty() ? lists : IsolationWorkload.contents(connection);
  }

  private void judgeLost(List<LostAppend> lost) {
    figures.put(LOST_APPENDS, (double) lost.size());
    if (!lost.isEmpty()) {
      String line =
          "%d of acknowledged transactions, which survive %s; the first: %s, and is not in it at"
                  .formatted(
                      lost.size(),
                      promised.survival().map(Survival::words).orElse("what is not known"),
                      lost.get(0))
              + " the end";
      found.put("lost appends", line);
      notes.accept("isolation: lost appends: " + line);
    }
  }

  private void judge(List<HistoryTransaction> history, List<LostAppend> lost) {
    Map<Phenomenon, Integer> counts = new TreeMap<>();
    Map<Phenomenon, Anomaly> first = new TreeMap<>();
    for (Anomaly anomaly : HistoryCheck.anomalies(history, lost)) {
      counts.merge(anomaly.phenomenon(), 1, Integer::sum);
      first.putIfAbsent(anomaly.phenomenon(), anomaly);
    }
    double notPermitted = 0;
    for (Map.Entry<Phenomenon, Anomaly> one : first.entrySet()) {
      int count = counts.getOrDefault(one.getKey(), 0);
      Optional<Boolean> permitted = promised.anomalies().map(set -> set.contains(one.getKey()));
      String line =
          "%s at %s, %d found, the first: %s"
              .formatted(
                  permitted
                      .map(known -> known ? "permitted" : "NOT PERMITTED")
                      .orElse("not known whether permitted"),
                  promised.isolation(),
                  count,
                  HistoryText.of(one.getValue(), history));
      found.put(one.getKey().label(), line);
      figures.put("anomaly_" + one.getKey().name().toLowerCase(Locale.ROOT), (double) count);
      if (!permitted.orElse(false)) {
        notPermitted += count;
        notes.accept("isolation: %s: %s".formatted(one.getKey().label(), line));
      }
    }
    if (promised.anomalies().isPresent()) {
      figures.put(NOT_PERMITTED, notPermitted);
    }
    found.put("transactions in the history", Integer.toString(history.size()));
  }

  /** What was found, by the name of the phenomenon; complete after {@link #awaitRest}. */
  Map<String, String> found() {
    return found;
  }

  @Override
  public Map<String, Double> recent() {
    return Map.of();
  }

  @Override
  public Map<String, Double> figures() {
    return figures;
  }

  @Override
  public void close() {}
}
