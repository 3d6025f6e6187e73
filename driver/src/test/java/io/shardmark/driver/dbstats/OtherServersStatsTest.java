package io.shardmark.driver.dbstats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.config.DatabaseKind;
import io.shardmark.servers.PrivateMariaDb;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OtherServersStatsTest {
  private static final Duration INTERVAL = Duration.ofMillis(50);

  private static final long COMMITS = 50;

  @TempDir Path directory;
  private final List<String> notes = new CopyOnWriteArrayList<>();

  private ServerPoll<DatabaseStats> start(ConnectionSource source, DatabaseKind kind) {
    return DatabaseStats.start(source, kind, INTERVAL, 4, directory, Optional.empty(), notes::add);
  }

  @Test
  void mariaDbCountsCommitsAndRows() throws IOException, InterruptedException, SQLException {
    if (!PrivateMariaDb.isInstalled()) {
      System.getLogger("tests").log(System.Logger.Level.WARNING, "skipped: no mariadbd here");
    }
    assumeTrue(PrivateMariaDb.isInstalled(), "no mariadbd on this machine");
    try (PrivateMariaDb server = PrivateMariaDb.start("bench", "bench");
        Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE stats_test (i integer) ENGINE=InnoDB");
      ServerPoll<DatabaseStats> stats = start(server::connect, DatabaseKind.MARIADB);
      try (stats) {
        StatsFile.awaitLines(directory, 1);
        connection.setAutoCommit(false);
        for (int i = 0; i < COMMITS; i++) {
          statement.execute("INSERT INTO stats_test VALUES (1)");
          connection.commit();
        }
        stats.endInterval();
      }

      assertThat(notes).isEmpty();
      assertThat(stats.probe().figures())
          .containsKeys("innodb_row_lock_waits", "threads_running_max", "relation_bytes");
      assertThat(Files.readAllLines(directory.resolve("db_stats.csv")).get(0))
          .startsWith("run,elapsed,com_commit,com_rollback,");
      assertThat(StatsFile.sumOfColumn(directory, "com_commit")).isGreaterThanOrEqualTo(COMMITS);
      assertThat(stats.probe().figures().get("com_commit")).isGreaterThanOrEqualTo(COMMITS);
      assertThat(stats.probe().figures().get("handler_write")).isGreaterThanOrEqualTo(COMMITS);
    }
  }

  @Test
  void viewThatIsForbiddenOrMissingIsANote() throws IOException {
    // H2's Oracle mode has neither v$sysstat nor user_segments, as an Oracle user without rights
    ServerPoll<DatabaseStats> stats =
        start(
            () -> DriverManager.getConnection("jdbc:h2:mem:stats;MODE=Oracle"),
            DatabaseKind.ORACLE);
    StatsFile.awaitLines(directory, 1);
    stats.close();

    assertThat(stats.probe().figures()).isEmpty();
    assertThat(notes)
        .hasSize(2)
        .allMatch(note -> note.startsWith("database figures: some are left out"));
    assertThat(Files.readAllLines(directory.resolve("db_stats.csv")).get(0))
        .isEqualTo("run,elapsed");
  }

  @Test
  void serverOfWhichNothingIsKnownIsANote() throws IOException {
    ServerPoll<DatabaseStats> stats =
        start(() -> DriverManager.getConnection("jdbc:h2:mem:none"), DatabaseKind.FIREBIRD);
    StatsFile.awaitLines(directory, 1);
    stats.close();

    assertThat(notes).containsExactly("database figures: none are known for firebird");
  }
}
