package io.shardmark.driver.verify;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FirstLine;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks a benchmark's conditions over the whole database, after a load or after a run. Each
 * condition is one statement; they run in parallel, the most expensive ones first. The database is
 * only read. All conditions see one snapshot where the server has one; elsewhere no transaction
 * should be running meanwhile.
 *
 * @param connections to the database under test; asked from several threads
 * @param kind decides the variant of the few statements that are not portable
 * @param parallelism number of connections, from 1
 */
public record Verifier(ConnectionSource connections, DatabaseKind kind, int parallelism) {
  public Verifier {
    if (parallelism < 1) {
      throw new IllegalArgumentException("parallelism %d, at least 1".formatted(parallelism));
    }
  }

  /**
   * What was found.
   *
   * @param results of the conditions, in their order
   * @param oneSnapshot whether all conditions saw one; if not, transactions that ran meanwhile may
   *     have broken some
   */
  public record Findings(List<ConditionResult> results, boolean oneSnapshot) {
    public Findings {
      results = List.copyOf(results);
    }

    /** Those that are broken. */
    public List<ConditionResult> failed() {
      return results.stream().filter(result -> result.verdict() == Verdict.FAIL).toList();
    }
  }

  /**
   * Runs all conditions and waits for them. A statement that fails becomes a {@link Verdict#ERROR}
   * of its condition. A connection beyond the first that cannot be opened only costs time.
   *
   * @throws SQLException if the first connection cannot be opened
   * @throws InterruptedException if the calling thread is interrupted; the connections are aborted
   */
  public Findings run(Conditions conditions) throws SQLException, InterruptedException {
    return run(conditions.all(kind), connection -> loadState(conditions, connection), null);
  }

  static LoadState loadState(Conditions conditions, Connection connection) {
    try {
      return ReadTransaction.ask(connection, () -> conditions.loadState(connection));
    } catch (SQLException e) {
      return new LoadState(Verdict.ERROR, FirstLine.of(e));
    }
  }

  /**
   * As {@link #run(Conditions)} with some of the conditions.
   *
   * @param loadState finds out, on the first connection, whether the data are as they were loaded
   * @param taken a snapshot, what connections take it by; null if the first takes one
   */
  Findings run(
      List<Condition> conditions, Function<Connection, LoadState> loadState, @Nullable String taken)
      throws SQLException, InterruptedException {
    Queue<Connection> open = new ConcurrentLinkedQueue<>();
    Queue<Condition> waiting =
        new ConcurrentLinkedQueue<>(
            conditions.stream()
                .sorted(Comparator.comparingInt(Condition::weight).reversed())
                .toList());
    Map<Condition, ConditionResult> results = new ConcurrentHashMap<>();
    try {
      Connection first = open(open);
      ReadTransaction.join(first, taken);
      String snapshot =
          taken != null ? taken : ReadTransaction.begin(first, kind, parallelism == 1);
      ConditionCheck check = new ConditionCheck(kind, loadState.apply(first));
      VerifierWork work =
          connection -> {
            for (Condition next = waiting.poll(); next != null; next = waiting.poll()) {
              results.put(next, check.run(next, connection));
            }
            // Through a pooler the next one may wait for this server connection.
            ReadTransaction.end(connection);
          };
      List<Thread> threads = new ArrayList<>();
      threads.add(start(work, () -> first));
      for (int i = 1; i < Math.min(parallelism, conditions.size()); i++) {
        threads.add(start(work, () -> join(open, snapshot)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      return new Findings(
          conditions.stream()
              .map(condition -> Objects.requireNonNull(results.get(condition)))
              .toList(),
          snapshot != null);
    } finally {
      closeAll(open);
    }
  }

  private Connection open(Queue<Connection> open) throws SQLException {
    Connection connection = connections.open();
    open.add(connection);
    connection.setAutoCommit(true);
    return connection;
  }

  private Connection join(Queue<Connection> open, @Nullable String snapshot) throws SQLException {
    Connection connection = open(open);
    ReadTransaction.join(connection, snapshot);
    return connection;
  }

  /** What a thread does with its connection. */
  @FunctionalInterface
  private interface VerifierWork {
    void on(Connection connection) throws SQLException;
  }

  private static Thread start(VerifierWork work, ConnectionSource source) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.on(source.open());
              } catch (SQLException | ConfigException ignored) {
                // The server has no room for this connection; the others do its share.
              }
            },
            "verify");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Abort, not close: after an interruption a statement may still be running on it. */
  private static void closeAll(Queue<Connection> open) {
    for (Connection connection : open) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException ignored) {
        // It was read from only, and is lost anyhow.
      }
    }
  }
}
