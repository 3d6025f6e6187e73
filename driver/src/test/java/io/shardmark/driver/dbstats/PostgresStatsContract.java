package io.shardmark.driver.dbstats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.results.ServerWaits;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the figures owe on every version of PostgreSQL. */
abstract class PostgresStatsContract {
  private static final int ROWS = 200;
  private static final int ROLLBACKS = 7;
  private static final String WORKER = "worker";

  @TempDir Path directory;
  private final Queue<String> notes = new ConcurrentLinkedQueue<>();
  private CountDownLatch again = new CountDownLatch(0);

  abstract Connection connect() throws SQLException;

  private ServerPoll<DatabaseStats> start(ConnectionSource source, Duration interval)
      throws IOException {
    return DatabaseStats.start(
        source,
        DatabaseKind.POSTGRES,
        interval,
        4,
        directory,
        Optional.of("SELECT count(*) AS orders FROM stats_test"),
        this::note);
  }

  private void note(String text) {
    notes.add(text);
    again.countDown();
  }

  private void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private void commitAndRollBack() throws SQLException {
    try (Connection connection = named(WORKER);
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < ROWS; i++) {
        statement.execute("INSERT INTO stats_test VALUES (" + i + ")");
      }
      connection.setAutoCommit(false);
      for (int i = 0; i < ROLLBACKS; i++) {
        statement.execute("INSERT INTO stats_test VALUES (" + i + ")");
        connection.rollback();
      }
    }
  }

  @Test
  void countsWhatHappenedInTheIntervalOnly() throws IOException, SQLException {
    execute("DROP TABLE IF EXISTS stats_test", "CREATE TABLE stats_test (i integer)");
    ServerPoll<DatabaseStats> stats = start(this::connect, Duration.ofHours(1));
    try (stats) {
      StatsFile.awaitLines(directory, 1);
      commitAndRollBack();
      awaitInserted(1);
      stats.beginInterval();
      StatsFile.awaitLines(directory, 2);
      commitAndRollBack();
      awaitInserted(2);
      stats.endInterval();
      StatsFile.awaitLines(directory, 3);
    }

    Map<String, Long> figures = stats.probe().figures();
    assertThat(notes).isEmpty();
    assertThat(figures)
        .containsKeys(
            "checkpoints_timed",
            "checkpoints_requested",
            "lock_waiters_max",
            "active_sessions_max",
            "blks_hit",
            "blks_read",
            "deadlocks",
            "relation_bytes",
            "relation_bytes_increase");
    // the second half, and a few rows of the server's own statistics
    assertThat(figures.get("tup_inserted"))
        .isBetween((long) ROWS + ROLLBACKS, 2L * (ROWS + ROLLBACKS) - 1);
    assertThat(figures.get("xact_rollback")).isBetween((long) ROLLBACKS, 2L * ROLLBACKS - 1);
    assertThat(figures.get("wal_bytes")).isGreaterThan(ROWS * 50L);
    assertThat(figures.get("relation_bytes")).isPositive();
    assertThat(figures)
        .containsEntry("orders", 2L * ROWS)
        .containsEntry("orders_increase", (long) ROWS);
  }

  @Test
  void writesARowForEachReading() throws IOException, SQLException {
    execute("DROP TABLE IF EXISTS stats_test", "CREATE TABLE stats_test (i integer)");
    try (ServerPoll<DatabaseStats> stats = start(this::connect, Duration.ofMillis(50))) {
      StatsFile.awaitLines(directory, 1);
      commitAndRollBack();
      awaitInserted(1);
      StatsFile.awaitLines(directory, 4);
      stats.endInterval();
    }
    assertRows();
  }

  /** Waits until the server's figures show our work: a session hands in the last when it ends. */
  private void awaitInserted(int rounds) {
    awaitTrue(
        "SELECT n_tup_ins >= %d FROM pg_stat_user_tables WHERE relname = 'stats_test'"
            .formatted(rounds * (ROWS + ROLLBACKS)));
    awaitTrue(
        "SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = '%s'"
            .formatted(WORKER));
  }

  private void awaitTrue(String question) {
    await(question).atMost(Duration.ofMinutes(4)).until(() -> isTrue(question));
  }

  private boolean isTrue(String question) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(question)) {
      return row.next() && row.getBoolean(1);
    }
  }

  private void assertRows() throws IOException {
    List<String> lines = StatsFile.lines(directory);
    assertThat(lines.get(0))
        .startsWith("run,elapsed,xact_commit,xact_rollback,deadlocks,")
        .endsWith(",lock_waiters,active_sessions");
    int columns = lines.get(0).split(",", -1).length;
    for (String line : lines.subList(1, lines.size())) {
      assertThat(line).matches("4,\\d+(,\\d+){" + (columns - 2) + "}");
    }
    assertThat(StatsFile.sumOfColumn(directory, "xact_commit")).isGreaterThanOrEqualTo(ROWS);
    assertThat(StatsFile.sumOfColumn(directory, "xact_rollback")).isGreaterThanOrEqualTo(ROLLBACKS);
    assertThat(StatsFile.sumOfColumn(directory, "tup_inserted"))
        .isGreaterThanOrEqualTo(ROWS + ROLLBACKS);
  }

  @Test
  void seesSessionsThatWaitForALock() throws Exception {
    execute(
        "DROP TABLE IF EXISTS lock_test",
        "CREATE TABLE lock_test (i integer)",
        "INSERT INTO lock_test VALUES (1)");
    try (Connection holder = connect();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("UPDATE lock_test SET i = 2");
      CompletableFuture<Void> waiter =
          CompletableFuture.runAsync(
              () -> {
                try {
                  execute("UPDATE lock_test SET i = 3");
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      awaitWaiters(1);
      ServerPoll<DatabaseStats> stats = start(this::connect, Duration.ofMillis(50));
      StatsFile.awaitLines(directory, 2);
      stats.close();
      holder.rollback();
      waiter.get(4, TimeUnit.MINUTES);

      assertThat(stats.probe().figures().get("lock_waiters_max")).isPositive();
    }
  }

  @Test
  void queriesForOlderVersionsAreUnderstood() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      FigureGroup wal = ServerFigures.of(DatabaseKind.POSTGRES, 12).get(1);
      assertThat(wal.sql()).contains("pg_wal_lsn_diff");
      assertThat(statement.executeQuery(wal.sql()).next()).isTrue();
    }
  }

  @Test
  void lostConnectionIsOneNoteAndIsOpenedAgain() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(2);
    again = new CountDownLatch(2);
    ServerPoll<DatabaseStats> stats =
        start(
            () -> {
              Connection connection = connect();
              connection.setClientInfo("ApplicationName", "stats");
              first.countDown();
              second.countDown();
              return connection;
            },
            Duration.ofMillis(50));
    try (stats) {
      assertThat(first.await(4, TimeUnit.MINUTES)).isTrue();
      execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE application_name = 'stats'");
      assertThat(second.await(4, TimeUnit.MINUTES)).isTrue();
      assertThat(again.await(4, TimeUnit.MINUTES)).isTrue();
    }

    assertThat(notes).hasSize(2);
    assertThat(notes.poll()).startsWith("database figures: none until the server answers again");
    assertThat(notes.poll()).isEqualTo("database figures: read again");
    assertThat(stats.probe().figures()).isNotEmpty();
  }

  @Test
  void serverThatNeverAnswersIsANoteNotAFailure() throws IOException {
    ServerPoll<DatabaseStats> stats =
        start(
            () -> {
              throw new SQLException("Connection refused");
            },
            Duration.ofMillis(50));
    stats.beginInterval();
    stats.close();

    assertThat(stats.probe().figures()).isEmpty();
    assertThat(notes)
        .containsExactly(
            "database figures: none until the server answers again: Connection refused");
  }

  private Connection named(String application) throws SQLException {
    Connection connection = connect();
    connection.setClientInfo("ApplicationName", application);
    return connection;
  }

  private CompletableFuture<Void> update(String application) {
    return CompletableFuture.runAsync(
        () -> {
          try (Connection connection = named(application);
              Statement statement = connection.createStatement()) {
            statement.execute("UPDATE lock_test SET i = 3");
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** Waits until so many sessions wait for a lock, and say so. */
  private void awaitWaiters(int sessions) {
    awaitTrue(
        "SELECT count(*) >= %d FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            .formatted(sessions));
  }

  @Test
  void samplesWhatTheRunsOwnSessionsWaitForAndWhere() throws Exception {
    execute(
        "DROP TABLE IF EXISTS lock_test",
        "CREATE TABLE lock_test (i integer)",
        "INSERT INTO lock_test VALUES (1)");
    try (Connection holder = named("sampled");
        Connection idle = named("sampled");
        Connection stranger = named("another program");
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      stranger.setAutoCommit(false);
      stranger.createStatement().execute("SELECT 1");
      statement.execute("UPDATE lock_test SET i = 2");
      List<CompletableFuture<Void>> waiters =
          List.of(update("sampled"), update("sampled"), update("another program"));
      awaitWaiters(3);
      CountDownLatch connected = new CountDownLatch(1);
      ServerPoll<WaitSampler> sampler =
          WaitSampler.start(
              () -> {
                Connection connection = named("sampled");
                connected.countDown();
                return connection;
              },
              Duration.ofHours(1),
              this::note);
      try (sampler) {
        assertThat(connected.await(4, TimeUnit.MINUTES)).isTrue();
        sampler.beginInterval();
        sampler.endInterval();
      }
      holder.rollback();
      for (CompletableFuture<Void> waiter : waiters) {
        waiter.get(4, TimeUnit.MINUTES);
      }

      ServerWaits waits = sampler.probe().waits();
      assertThat(notes).isEmpty();
      assertThat(waits.missing()).isEmpty();
      assertThat(waits.samples()).isEqualTo(1);
      assertThat(sessions(waits, "Lock")).isEqualTo(2);
      assertThat(sessions(waits, ServerWaits.IDLE_IN_TRANSACTION)).isEqualTo(1);
      assertThat(sessions(waits, ServerWaits.IDLE)).isEqualTo(1);
      assertThat(waits.lockedTables()).containsExactly(new ServerWaits.LockedTable("lock_test", 2));
      assertThat(idle.isClosed()).isFalse();
    }
  }

  private static double sessions(ServerWaits waits, String type) {
    return waits.activities().stream()
        .filter(activity -> activity.type().equals(type))
        .mapToDouble(ServerWaits.Activity::sessions)
        .sum();
  }

  @Test
  void samplerWithoutAServerSaysSoAndCoversNothing() {
    ServerPoll<WaitSampler> sampler =
        WaitSampler.start(
            () -> {
              throw new SQLException("Connection refused");
            },
            Duration.ofMillis(50),
            this::note);
    sampler.beginInterval();
    sampler.endInterval();
    sampler.close();

    assertThat(notes)
        .containsExactly("server waits: none until the server answers again: Connection refused");
    assertThat(sampler.probe().waits().samples()).isZero();
    assertThat(sampler.probe().waits().coveredSeconds()).isZero();
  }

  @Test
  void samplerThatDiesSaysSo() {
    ServerPoll<WaitSampler> sampler =
        WaitSampler.start(
            () -> {
              throw new IllegalStateException("a fault of the sampler");
            },
            Duration.ofMillis(50),
            this::note);
    sampler.close();

    assertThat(notes).hasSize(1);
    assertThat(notes.poll()).startsWith("server waits: stopped by an internal fault");
    assertThat(sampler.probe().waits().missing())
        .isEqualTo("the sampler did not come to the end of the run");
  }
}
