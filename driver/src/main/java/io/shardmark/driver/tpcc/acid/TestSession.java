package io.shardmark.driver.tpcc.acid;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FirstLine;
import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.tpcc.acid.Breakpoint.Resume;
import io.shardmark.driver.tpcc.acid.TransactionEnd.How;
import io.shardmark.driver.tpcc.statements.StatementProfiles;
import io.shardmark.sql.dialect.Dialect;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One of the sessions that a test needs, with a connection and a thread for itself. Its methods are
 * called by the test's thread.
 */
final class TestSession implements AutoCloseable {
  /**
   * A transaction that has not ended after this long waits for another one. Far above what one
   * takes on a machine that is not overloaded; a system that only hesitates is misread as waiting,
   * which changes the sentence about it and no verdict.
   */
  private static final Duration WAITS = Duration.ofSeconds(2);

  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Dialect dialect;
  private final Connection connection;
  private final SteppedConnection stepped;
  private final TransactionExecutor executor;

  TestSession(ConnectionSource connections, DatabaseKind database) throws SQLException {
    dialect = Dialect.of(database);
    connection = connections.open();
    connection.setAutoCommit(false);
    stepped = new SteppedConnection(connection);
    executor =
        StatementProfiles.open(
            StatementProfile.BENCHMARKSQL, database, Optional.empty(), stepped.proxy());
  }

  /** Work of a transaction other than the benchmark's. */
  @FunctionalInterface
  interface SessionWork {
    void on(Connection connection) throws SQLException;
  }

  /** The statements of a transaction, with its end. */
  @FunctionalInterface
  private interface Statements {
    void run() throws SQLException;
  }

  /** A transaction that has begun. */
  final class Running {
    private final Breakpoint breakpoint;
    private final Future<TransactionEnd> end;

    private Running(Breakpoint breakpoint, Callable<TransactionEnd> transaction) {
      this.breakpoint = breakpoint;
      this.end =
          thread.submit(
              () -> {
                try {
                  return transaction.call();
                } finally {
                  breakpoint.ended();
                }
              });
    }

    /**
     * Waits until it has stopped at its breakpoint; false if it ended before.
     *
     * @throws AcidTestException if it has done neither after two minutes
     */
    boolean isStopped() throws InterruptedException {
      return breakpoint.isReached(LONGEST);
    }

    /** Whether it has not ended within two seconds; of one that is to stop nowhere. */
    boolean isUnfinished() throws InterruptedException {
      try {
        end.get(WAITS.toMillis(), TimeUnit.MILLISECONDS);
        return false;
      } catch (TimeoutException e) {
        return true;
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }

    /**
     * Whether it waits for another transaction: neither has it ended nor does it stop within two
     * seconds.
     */
    boolean waits() throws InterruptedException {
      return breakpoint.isAwaited(WAITS.toMillis());
    }

    void resume(Resume how) {
      breakpoint.resume(how);
    }

    /**
     * Waits for its end.
     *
     * @throws AcidTestException if it has not ended after two minutes
     */
    TransactionEnd end() throws InterruptedException {
      try {
        return end.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        throw new AcidTestException(
            "a transaction has not ended after %d s".formatted(LONGEST.toSeconds()));
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
  }

  /** Begins one of the benchmark's transactions, which stops at a breakpoint. */
  Running begin(Transaction input, Breakpoint breakpoint) {
    stepped.stopAt(breakpoint);
    return new Running(breakpoint, () -> ending(() -> executor.execute(input)));
  }

  /** Begins a transaction of one's own; it stops before its COMMIT. */
  Running begin(SessionWork work) {
    Breakpoint breakpoint = Breakpoint.beforeCommit();
    stepped.stopAt(breakpoint);
    return new Running(
        breakpoint,
        () ->
            ending(
                () -> {
                  work.on(connection);
                  stepped.proxy().commit();
                }));
  }

  /** Runs one of the benchmark's transactions to its end. */
  TransactionEnd run(Transaction input) throws InterruptedException {
    Running running = begin(input, Breakpoint.beforeCommit());
    running.resume(Resume.CONTINUE);
    return running.end();
  }

  private TransactionEnd ending(Statements transaction) {
    try {
      transaction.run();
      return TransactionEnd.DONE;
    } catch (SQLException e) {
      How how =
          switch (dialect.classify(e)) {
            case SERIALIZATION_FAILURE, DEADLOCK -> How.ABORTED;
            default -> How.FAILED;
          };
      return rolledBack(how, String.valueOf(e.getSQLState()), e);
    } catch (WrongDataException e) {
      return rolledBack(How.FAILED, "wrong data", e);
    }
  }

  private TransactionEnd rolledBack(How how, String sqlState, Exception error) {
    try {
      connection.rollback();
      return new TransactionEnd(how, sqlState, FirstLine.of(error));
    } catch (SQLException e) {
      return new TransactionEnd(
          How.FAILED, sqlState, FirstLine.of(error) + "; ROLLBACK: " + FirstLine.of(e));
    }
  }

  /** See {@link SteppedConnection#reads}; after the transaction's end. */
  List<List<Object>> reads() {
    return List.copyOf(stepped.reads());
  }

  /** See {@link SteppedConnection#orderKey}; after the transaction's end. */
  List<Integer> orderKey() {
    return stepped.orderKey();
  }

  /** A transaction that has not ended goes on no further; closing its connection rolls it back. */
  @Override
  public void close() throws SQLException {
    stepped.abandon();
    thread.shutdownNow();
    connection.close();
  }
}
