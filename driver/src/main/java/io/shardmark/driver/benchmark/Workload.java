package io.shardmark.driver.benchmark;

import io.shardmark.sql.shards.ShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A benchmark as the machinery sees it. Pacing, measurement, results, report and audit know only
 * this. Implementations are safe for use by many threads once {@link #prepare} has returned.
 */
public interface Workload {
  /** All kinds of transactions, at the position of their index. */
  List<TransactionType> types();

  /**
   * Reads what the load left and checks that the run fits it.
   *
   * @param connection open, auto-commit off; stays the caller's, who rolls back
   * @throws io.shardmark.config.ConfigException if the data is missing or too small for the run
   */
  void prepare(Connection connection) throws SQLException;

  /** Takes the place of {@link #prepare} where there is no database ({@code conn=null:}). */
  default void prepareWithoutDatabase() {}

  /**
   * Receives the map of shards. Called after {@link #prepare} and before the first terminal, if the
   * database has shards.
   *
   * @throws io.shardmark.config.ConfigException if the run cannot be done over these shards
   */
  default void spreadOver(ShardMap map) {}

  /**
   * Observes other endpoints than the one that transactions go to. Called after {@link #prepare};
   * not if there is no database.
   *
   * @return empty if there is nothing to observe
   * @throws io.shardmark.config.ConfigException if an endpoint is not ready for the run
   */
  default Optional<Follower> follower(Endpoints endpoints) throws SQLException {
    return Optional.empty();
  }

  /**
   * Makes the state of one terminal.
   *
   * @param index from 0
   */
  Terminal newTerminal(int index);

  /**
   * Prepares the workload's statements on a connection.
   *
   * @param connection a physical connection, auto-commit off, which the executor borrows for its
   *     whole life and may put into auto-commit mode
   */
  TransactionExecutor newExecutor(Connection connection) throws SQLException;

  /**
   * Answers every transaction at once ({@code conn=null:}): what is left of a run is the driver's
   * own cost. Used by many threads.
   */
  default TransactionExecutor nullExecutor() {
    return transaction -> Outcome.COMMITTED;
  }

  /** What a result is judged by, the headline first. */
  default List<MetricRule> metrics() {
    return List.of(MetricRule.rate("tps", "/s", MetricRule.Computation.COMMITS_PER_SECOND));
  }

  /** Lines that the console shows before the run, after {@link #prepare}. */
  default List<String> announcement() {
    return List.of();
  }

  /**
   * Threads that execute the follow-ups of transactions ({@link Outcome#followUp}) when terminals
   * key or think; without such pacing a terminal's own thread does. 0 if there are none.
   */
  default int followUpThreads() {
    return 0;
  }

  /** What lies on each shard, for the console; empty if that is not known. */
  default String placement() {
    return "";
  }

  /**
   * How many partitions of the data {@link #homePartition} has; 0 if the database is one server or
   * does not say.
   */
  default int partitionCount() {
    return 0;
  }

  /**
   * The partition in which a transaction's terminal is at home.
   *
   * @return 0 .. {@link #partitionCount} - 1, or -1 if that is not known
   */
  default int homePartition(Transaction transaction) {
    return -1;
  }

  /**
   * A cheap query for one number, which grows by one with each committed transaction of the type
   * that the main metric counts. Only of a workload whose transactions are one commit each; empty
   * for others, and if there is no cheap one.
   */
  default Optional<String> headlineCount() {
    return Optional.empty();
  }

  /** How many counters {@link Transaction#countInto} may use. */
  default int auditCounterCount() {
    return 0;
  }

  /** The bounds that the input of a run is judged by. */
  default List<AuditRule> auditRules() {
    return List.of();
  }

  /**
   * Figures for reports that only the workload knows, as name and text (for TPC-C: scale, C
   * values).
   */
  default Map<String, String> facts() {
    return Map.of();
  }
}
