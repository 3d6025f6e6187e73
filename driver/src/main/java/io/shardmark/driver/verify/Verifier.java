package io.shardmark.driver.verify;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Checks a benchmark's conditions over the whole database, after a load or after a run. Each
 * condition is one statement; they run in parallel, the most expensive ones first. The database is
 * only read. No transaction should be running meanwhile: each statement sees its own snapshot.
 */
public final class Verifier {
  // Lets PostgreSQL hash the orders or customers of 100 warehouses without going to disk.
  private static final String POSTGRES_WORK_MEM = "SET work_mem = '256MB'";

  private final ConnectionSource connections;
  private final DatabaseKind kind;
  private final int parallelism;

  /**
   * @param connections to the database under test; asked from several threads
   * @param kind decides the variant of the few statements that are not portable
   * @param parallelism number of connections, from 1
   */
  public Verifier(ConnectionSource connections, DatabaseKind kind, int parallelism) {
    if (parallelism < 1) {
      throw new IllegalArgumentException("parallelism %d, at least 1".formatted(parallelism));
    }
    this.connections = connections;
    this.kind = kind;
    this.parallelism = parallelism;
  }

  /**
   * Runs all conditions and waits for them. A statement that fails becomes a {@link Verdict#ERROR}
   * of its condition. A connection beyond the first that cannot be opened only costs time.
   *
   * @return the conditions in their order
   * @throws SQLException if the first connection cannot be opened
   * @throws InterruptedException if the calling thread is interrupted; the connections are aborted
   */
  public List<ConditionResult> run(Conditions conditions)
      throws SQLException, InterruptedException {
    return run(conditions.all(kind), connection -> loadState(conditions, connection));
  }

  static LoadState loadState(Conditions conditions, Connection connection) {
    try {
      return conditions.loadState(connection);
    } catch (SQLException e) {
      return new LoadState(Verdict.ERROR, String.valueOf(e.getMessage()));
    }
  }

  /**
   * As {@link #run(Conditions)} with some of the conditions.
   *
   * @param loadState finds out, on the first connection, whether the data are as they were loaded
   */
  List<ConditionResult> run(List<Condition> conditions, Function<Connection, LoadState> loadState)
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
      ConditionCheck check = new ConditionCheck(kind, loadState.apply(first));
      Consumer<Connection> work =
          connection -> {
            for (Condition next = waiting.poll(); next != null; next = waiting.poll()) {
              results.put(next, check.run(next, connection));
            }
          };
      List<Thread> threads = new ArrayList<>();
      threads.add(start(work, () -> first));
      for (int i = 1; i < Math.min(parallelism, conditions.size()); i++) {
        threads.add(start(work, () -> open(open)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      return conditions.stream()
          .map(condition -> Objects.requireNonNull(results.get(condition)))
          .toList();
    } finally {
      closeAll(open);
    }
  }

  private Connection open(Queue<Connection> open) throws SQLException {
    Connection connection = connections.open();
    open.add(connection);
    connection.setAutoCommit(true);
    if (kind == DatabaseKind.POSTGRES) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(POSTGRES_WORK_MEM);
      } catch (SQLException ignored) {
        // Something that only speaks PostgreSQL's protocol may not know the setting: slower, not
        // wrong.
      }
    }
    return connection;
  }

  private static Thread start(Consumer<Connection> work, ConnectionSource source) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.accept(source.open());
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
