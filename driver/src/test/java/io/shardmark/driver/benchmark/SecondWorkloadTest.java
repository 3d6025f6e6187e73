package io.shardmark.driver.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.shardmark.config.LimitPacing;
import io.shardmark.config.PacingConfig;
import io.shardmark.config.Processors;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.judge.InputAudit;
import io.shardmark.driver.measure.Collector;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.LeftOver;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.measure.QuietFaults;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.results.AuditVerdict;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.driver.terminal.PooledSessions;
import io.shardmark.driver.terminal.TerminalRun;
import io.shardmark.sql.dialect.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pacing, measurement and audit on a real PostgreSQL, with nothing of TPC-C in sight. */
final class SecondWorkloadTest {
  private static final int TERMINALS = 12;
  private static final int TRANSACTIONS = 40;

  private final TransferWorkload workload = new TransferWorkload();
  private final IntervalInForce interval = new IntervalInForce();
  private final RunConfig config =
      new RunConfig(
          TERMINALS,
          3,
          TRANSACTIONS,
          Duration.ZERO,
          Duration.ZERO,
          10,
          1,
          false,
          new PacingConfig(0, 0.001, 0, Duration.ZERO, 0, LimitPacing.SCHEDULE, List.of()),
          0,
          TERMINALS,
          Map.of());

  @Test
  void runsMeasuredAndAudited() throws SQLException, InterruptedException {
    HikariDataSource pool = pool(SharedPostgres.newDatabase());
    try (PooledSessions sessions = new PooledSessions(pool, workload::newExecutor)) {
      try (Connection connection = pool.getConnection()) {
        workload.prepare(connection);
      }
      run(sessions);
      assertBooksBalance(pool);
    }
  }

  private static HikariDataSource pool(String database) {
    HikariConfig hikari = new HikariConfig();
    hikari.setJdbcUrl(SharedPostgres.url(database));
    hikari.setUsername("postgres");
    hikari.setPassword("postgres");
    hikari.setMaximumPoolSize(5);
    hikari.setAutoCommit(false);
    return new HikariDataSource(hikari);
  }

  private void run(PooledSessions sessions) throws InterruptedException {
    long now = System.nanoTime();
    interval.begin(now, MeasurementInterval.openEnded(now));
    ErrorLog errors = new ErrorLog(interval, notice -> {});
    Collector collector =
        new Collector(
            workload.types(),
            interval,
            errors,
            SampleSink.NONE,
            TerminalRun.workerCount(workload, config),
            QuietFaults.none());
    collector.start();
    TerminalRun run =
        TerminalRun.prepare(
            new TerminalRun.Setup(
                workload,
                config,
                sessions,
                Dialect.POSTGRES,
                collector::newRecorder,
                interval,
                Processors.ANY,
                QuietFaults.none()));
    run.start();
    assertThat(run.awaitEnd(Duration.ofMinutes(1).toNanos())).isZero();
    RunStatistics statistics = collector.finish(new LeftOver(0));

    long expected = (long) TERMINALS * TRANSACTIONS;
    assertThat(statistics.types()).allMatch(type -> type.errors() == 0);
    assertThat(statistics.types().get(0).count()).isEqualTo(expected);
    assertThat(statistics.types().get(0).count(Disposition.ROLLED_BACK)).isPositive();
    long[] counters = run.auditCounters();
    assertThat(counters[0]).isEqualTo(expected);
    assertThat(counters[1]).isEqualTo(statistics.types().get(0).count(Disposition.ROLLED_BACK));
    assertThat(InputAudit.evaluate(workload.auditRules(), counters))
        .singleElement()
        .satisfies(result -> assertThat(result.verdict()).isEqualTo(AuditVerdict.PASS));
  }

  private static void assertBooksBalance(HikariDataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT (SELECT sum(cents) FROM account), (SELECT sum(cents) FROM entry)")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getLong(1)).isPositive().isEqualTo(row.getLong(2));
    }
  }
}
