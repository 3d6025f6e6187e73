package io.shardmark.driver.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.terminal.KeptSamples.Kept;
import io.shardmark.driver.terminal.KeptSamples.KeptError;
import io.shardmark.sql.dialect.Dialect;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TransactionRunnerTest {
  private final KeptSamples samples = new KeptSamples();
  private final IntervalInForce interval = new IntervalInForce();
  private final long[] auditCounters = new long[2];

  TransactionRunnerTest() {
    long now = System.nanoTime();
    interval.begin(now, MeasurementInterval.openEnded(now));
  }

  private TransactionRunner runner(SessionSource sessions, int retries) {
    return new TransactionRunner(
        transaction -> 3, sessions, Dialect.POSTGRES, samples, interval, retries, auditCounters);
  }

  private static void run(TransactionRunner runner) {
    long now = System.nanoTime();
    runner.run(TestTransaction.work(0), now, now);
  }

  /** Fails with these SQLSTATEs, one after the other, then commits. */
  private static TransactionExecutor failing(String... sqlStates) {
    Deque<String> left = new ArrayDeque<>(List.of(sqlStates));
    return transaction -> {
      String state = left.poll();
      if (state != null) {
        throw new SQLException("what went wrong\nand more of it", state);
      }
      return Outcome.COMMITTED;
    };
  }

  @Test
  void eachSampleKnowsWhereItsTerminalIsAtHome() {
    run(runner(new ScriptedSessions(transaction -> Outcome.COMMITTED), 0));

    assertThat(samples.lastHomePartition()).isEqualTo(3);
  }

  @Test
  void committedTransactionsGiveTheirConnectionBack() {
    ScriptedSessions sessions = new ScriptedSessions(transaction -> Outcome.COMMITTED);

    run(runner(sessions, 0));

    assertThat(samples.samples()).containsExactly(new Kept(0, Disposition.COMMITTED, 0, 0));
    assertThat(sessions.log()).containsExactly("1 executes", "1 released");
    assertThat(auditCounters).containsExactly(1, 0);
  }

  @Test
  void deliberateRollbacksAndSkippedWorkAreNoErrors() {
    run(runner(new ScriptedSessions(transaction -> Outcome.ROLLED_BACK), 0));
    run(runner(new ScriptedSessions(transaction -> Outcome.committedSkipping(3)), 0));

    assertThat(samples.samples())
        .containsExactly(
            new Kept(0, Disposition.ROLLED_BACK, 0, 0), new Kept(0, Disposition.COMMITTED, 0, 3));
    assertThat(samples.errors()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "40001, SERIALIZATION_FAILURE, rolled back",
    "40P01, DEADLOCK, rolled back",
    "55P03, LOCK_TIMEOUT, rolled back",
    "57014, STATEMENT_TIMEOUT, rolled back",
    "23505, CONSTRAINT_VIOLATION, rolled back",
    "42P01, OTHER_ERROR, rolled back",
    "08006, CONNECTION_LOST, discarded",
    "57P01, CONNECTION_LOST, discarded"
  })
  void everyErrorClassIsCountedAndTheConnectionLeftClean(
      String sqlState, Disposition disposition, String end) {
    ScriptedSessions sessions = new ScriptedSessions(failing(sqlState));

    run(runner(sessions, 0));

    assertThat(samples.samples()).containsExactly(new Kept(0, disposition, 0, 0));
    assertThat(samples.errors())
        .containsExactly(new KeptError(disposition, sqlState, "what went wrong", false));
    assertThat(sessions.log()).containsExactly("1 executes", "1 " + end);
  }

  @Test
  void conflictsAreTriedAgainWithTheSameInput() {
    ScriptedSessions sessions = new ScriptedSessions(failing("40001", "40P01"));

    run(runner(sessions, 5));

    assertThat(samples.samples()).containsExactly(new Kept(0, Disposition.COMMITTED, 2, 0));
    assertThat(samples.errors()).extracting(KeptError::retried).containsExactly(true, true);
    assertThat(sessions.log())
        .containsExactly(
            "1 executes",
            "1 rolled back",
            "2 executes",
            "2 rolled back",
            "3 executes",
            "3 released");
    assertThat(auditCounters).containsExactly(1, 0);
  }

  @Test
  void retriesEndAtTheirLimit() {
    run(runner(new ScriptedSessions(failing("40001", "40001", "40001", "40001")), 2));

    assertThat(samples.samples())
        .containsExactly(new Kept(0, Disposition.SERIALIZATION_FAILURE, 2, 0));
    assertThat(samples.errors()).extracting(KeptError::retried).containsExactly(true, true, false);
  }

  @Test
  void otherErrorsAreNotTriedAgain() {
    run(runner(new ScriptedSessions(failing("23505", "23505")), 5));

    assertThat(samples.samples())
        .containsExactly(new Kept(0, Disposition.CONSTRAINT_VIOLATION, 0, 0));
  }

  @Test
  void retriesEndWithTheRun() {
    interval.endNoLaterThan(System.nanoTime());

    run(runner(new ScriptedSessions(failing("40001")), 5));

    assertThat(samples.samples())
        .containsExactly(new Kept(0, Disposition.SERIALIZATION_FAILURE, 0, 0));
    assertThat(auditCounters).containsExactly(0, 0);
  }

  @Test
  void lostConnectionsAreReplacedForTheNextTransaction() {
    ScriptedSessions sessions = new ScriptedSessions(failing("08006"));
    TransactionRunner runner = runner(sessions, 0);

    run(runner);
    run(runner);

    assertThat(sessions.log())
        .containsExactly("1 executes", "1 discarded", "2 executes", "2 released");
  }

  @Test
  void noConnectionAtAllIsAnErrorOfTheTransaction() {
    ScriptedSessions sessions = new ScriptedSessions(transaction -> Outcome.COMMITTED).refusing(1);
    TransactionRunner runner = runner(sessions, 3);

    run(runner);
    run(runner);

    assertThat(samples.samples())
        .containsExactly(
            new Kept(0, Disposition.CONNECTION_LOST, 0, 0),
            new Kept(0, Disposition.COMMITTED, 0, 0));
    assertThat(samples.errors())
        .containsExactly(
            new KeptError(Disposition.CONNECTION_LOST, "08001", "no connection", false));
  }

  @Test
  void wrongDataIsAnErrorAndRolledBack() {
    ScriptedSessions sessions =
        new ScriptedSessions(
            transaction -> {
              throw new WrongDataException("customer 1/2/3 not found");
            });

    run(runner(sessions, 3));

    assertThat(samples.samples()).containsExactly(new Kept(0, Disposition.WRONG_DATA, 0, 0));
    assertThat(samples.errors())
        .containsExactly(
            new KeptError(Disposition.WRONG_DATA, "", "customer 1/2/3 not found", false));
    assertThat(sessions.log()).containsExactly("1 executes", "1 rolled back");
  }
}
