package io.shardmark.driver.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.measure.StatementTimes;
import io.shardmark.driver.results.StatementResult;
import io.shardmark.driver.servers.SharedPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;

/** Against a real server: which statements are timed, and that nothing else changes. */
@Timeout(240)
final class TimedConnectionTest {
  private static final String DIVIDE = "SELECT 6 / ?";
  private static final String SET = "SELECT set_config('application_name', 'x', true)";

  private final IntervalInForce interval = new IntervalInForce();
  private final StatementTimes times = new StatementTimes(interval);
  private final TestTransaction transaction = TestTransaction.work(0);
  private int divisor = 2;

  /** One division, two settings, and a commit. */
  private TransactionExecutor prepare(Connection connection) throws SQLException {
    PreparedStatement divide = connection.prepareStatement(DIVIDE);
    PreparedStatement set = connection.prepareStatement(SET);
    try (PreparedStatement warmUp = connection.prepareCall("SELECT 1")) {
      warmUp.execute();
    }
    assertThat(connection.unwrap(PGConnection.class).getBackendPID()).isPositive();
    return ignored -> {
      divide.setInt(1, divisor);
      assertThat(divide.executeQuery().next()).isTrue();
      set.execute();
      set.execute();
      connection.commit();
      return Outcome.COMMITTED;
    };
  }

  private void beginInterval(long startNanos) {
    interval.begin(
        startNanos, new MeasurementInterval(startNanos, startNanos + TimeUnit.HOURS.toNanos(2)));
  }

  @Test
  void countsEachStatementAndPassesFailuresOn() throws SQLException {
    beginInterval(System.nanoTime());
    try (Connection connection = SharedPostgres.connect("postgres")) {
      connection.setAutoCommit(false);
      TransactionExecutor executor = TimedConnection.open(this::prepare, connection, times);
      for (int i = 0; i < 3; i++) {
        executor.execute(transaction);
      }
      divisor = 0;
      assertThatThrownBy(() -> executor.execute(transaction))
          .isInstanceOf(PSQLException.class)
          .isNotInstanceOf(SQLTransientException.class)
          .hasMessageContaining("division by zero");
    }

    assertThat(times.figures(List.of(transaction.type())))
        .extracting(StatementResult::statement, figures -> figures.latencyMillis().count())
        .containsExactlyInAnyOrder(tuple(DIVIDE, 4L), tuple(SET, 6L), tuple("COMMIT", 3L));
    assertThat(times.figures(List.of(transaction.type())))
        .allMatch(figures -> figures.type().equals(transaction.type().name()))
        .allMatch(figures -> figures.totalSeconds() > 0);
  }

  @Test
  void whatEndsBeforeTheIntervalDoesNotCount() throws SQLException {
    beginInterval(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
    try (Connection connection = SharedPostgres.connect("postgres")) {
      connection.setAutoCommit(false);
      TimedConnection.open(this::prepare, connection, times).execute(transaction);
    }

    assertThat(times.figures(List.of(transaction.type()))).isEmpty();
  }
}
