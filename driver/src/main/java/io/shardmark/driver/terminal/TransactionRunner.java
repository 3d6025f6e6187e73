package io.shardmark.driver.terminal;

import io.shardmark.config.FirstLine;
import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.SampleRecorder;
import io.shardmark.driver.measure.TransactionTimes;
import io.shardmark.sql.dialect.Dialect;
import java.sql.SQLException;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs one transaction on a borrowed connection: retries, classes of errors, and what happens to
 * the connection. Belongs to one worker thread. A transaction that the database or its rows did not
 * let end well is recorded as an error and the run goes on; any other fault is the driver's own and
 * leaves this class, but never with a connection.
 */
final class TransactionRunner {
  private final ToIntFunction<Transaction> homePartition;
  private final SessionSource sessions;
  private final Dialect dialect;
  private final SampleRecorder recorder;
  private final IntervalInForce interval;
  private final int maxRetries;
  private final long[] auditCounters;
  private final TransactionTimes times = new TransactionTimes();
  private volatile boolean busy;

  TransactionRunner(
      ToIntFunction<Transaction> homePartition,
      SessionSource sessions,
      Dialect dialect,
      SampleRecorder recorder,
      IntervalInForce interval,
      int maxRetries,
      long[] auditCounters) {
    this.homePartition = homePartition;
    this.sessions = sessions;
    this.dialect = dialect;
    this.recorder = recorder;
    this.interval = interval;
    this.maxRetries = maxRetries;
    this.auditCounters = auditCounters;
  }

  long startNanos() {
    return times.startNanos;
  }

  long endNanos() {
    return times.endNanos;
  }

  /** True while a transaction is under way, and after a fault in it. Safe on any thread. */
  boolean isBusy() {
    return busy;
  }

  /**
   * Runs a transaction to its end, whatever that is, and records it.
   *
   * @param dueNanos when its terminal wanted it sent
   * @param dequeuedNanos when this worker took it up
   * @return the work it queued, or null
   */
  @Nullable Transaction run(Transaction transaction, long dueNanos, long dequeuedNanos) {
    busy = true;
    times.dueNanos = dueNanos;
    times.dequeuedNanos = dequeuedNanos;
    times.startNanos = 0;
    times.homePartition = homePartition.applyAsInt(transaction);
    int retries = 0;
    Attempt attempt = attempt(transaction, true);
    while (attempt.isRetryable() && retries < maxRetries && !interval.isOver(System.nanoTime())) {
      attempt.report(transaction, recorder, true);
      retries++;
      attempt = attempt(transaction, false);
    }
    times.endNanos = System.nanoTime();
    attempt.report(transaction, recorder, false);
    recorder.record(
        times,
        transaction.type().index(),
        attempt.disposition(),
        retries,
        attempt.skipped(),
        transaction.isDistributed());
    if (interval.contains(times.endNanos)) {
      transaction.countInto(auditCounters);
    }
    busy = false;
    return attempt.followUp();
  }

  private Attempt attempt(Transaction transaction, boolean first) {
    TerminalSession session;
    try {
      session = sessions.borrow();
    } catch (SQLException e) {
      markStart(first);
      // Whatever kept us from a connection, the server was not there for this transaction.
      return Attempt.failed(Disposition.CONNECTION_LOST, e);
    }
    boolean givenUp = false;
    try {
      Attempt ended = execute(transaction, session, first);
      giveUp(session, ended.disposition());
      givenUp = true;
      return ended;
    } finally {
      if (!givenUp) {
        // A fault of the driver: what is open on this connection, and what holds locks, must go
        // with it.
        session.discard();
      }
    }
  }

  private Attempt execute(Transaction transaction, TerminalSession session, boolean first) {
    try {
      TransactionExecutor executor = session.executor();
      markStart(first);
      return Attempt.ended(executor.execute(transaction));
    } catch (SQLException e) {
      markStart(first); // unless it was the preparation that failed, nothing changes
      return Attempt.failed(disposition(e), e);
    } catch (WrongDataException e) {
      return Attempt.wrong(e);
    }
  }

  private Disposition disposition(SQLException error) {
    return switch (dialect.classify(error)) {
      case SERIALIZATION_FAILURE -> Disposition.SERIALIZATION_FAILURE;
      case DEADLOCK -> Disposition.DEADLOCK;
      case LOCK_TIMEOUT -> Disposition.LOCK_TIMEOUT;
      case STATEMENT_TIMEOUT -> Disposition.STATEMENT_TIMEOUT;
      case CONNECTION_LOST -> Disposition.CONNECTION_LOST;
      case CONSTRAINT -> Disposition.CONSTRAINT_VIOLATION;
      case WRONG_DATA -> Disposition.WRONG_DATA;
      case OTHER -> Disposition.OTHER_ERROR;
    };
  }

  private static void giveUp(TerminalSession session, Disposition disposition) {
    if (!disposition.isError()) {
      session.release();
    } else if (disposition == Disposition.CONNECTION_LOST) {
      session.discard();
    } else {
      session.rollBackAndRelease();
    }
  }

  /** Once for each transaction. */
  private void markStart(boolean first) {
    if (first && times.startNanos == 0) {
      times.startNanos = System.nanoTime();
    }
  }

  /** How one attempt ended. */
  private record Attempt(
      Disposition disposition, @Nullable Outcome outcome, String sqlState, String message) {
    private static final Attempt COMMITTED =
        new Attempt(Disposition.COMMITTED, Outcome.COMMITTED, "", "");
    private static final Attempt ROLLED_BACK =
        new Attempt(Disposition.ROLLED_BACK, Outcome.ROLLED_BACK, "", "");

    static Attempt ended(Outcome outcome) {
      if (outcome.equals(Outcome.COMMITTED)) {
        return COMMITTED;
      }
      if (outcome.equals(Outcome.ROLLED_BACK)) {
        return ROLLED_BACK;
      }
      Disposition disposition =
          outcome.committed() ? Disposition.COMMITTED : Disposition.ROLLED_BACK;
      return new Attempt(disposition, outcome, "", "");
    }

    static Attempt failed(Disposition disposition, SQLException error) {
      String state = error.getSQLState();
      return new Attempt(disposition, null, state == null ? "" : state, FirstLine.withCause(error));
    }

    static Attempt wrong(WrongDataException error) {
      return new Attempt(Disposition.WRONG_DATA, null, "", FirstLine.of(error));
    }

    boolean isRetryable() {
      return disposition == Disposition.SERIALIZATION_FAILURE
          || disposition == Disposition.DEADLOCK;
    }

    int skipped() {
      return outcome == null ? 0 : outcome.skipped();
    }

    @Nullable Transaction followUp() {
      return outcome == null ? null : outcome.followUp();
    }

    void report(Transaction transaction, SampleRecorder recorder, boolean retried) {
      if (disposition.isError()) {
        recorder.error(transaction.type().name(), disposition, sqlState, message, retried);
      }
    }
  }
}
