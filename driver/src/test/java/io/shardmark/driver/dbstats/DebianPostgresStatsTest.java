package io.shardmark.driver.dbstats;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.servers.DebianPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** An older PostgreSQL, whose statistics views differ. */
final class DebianPostgresStatsTest extends PostgresStatsContract {
  private static @Nullable DebianPostgres server;

  @BeforeAll
  static void start() throws IOException, InterruptedException, SQLException {
    if (!DebianPostgres.isAvailable()) {
      System.getLogger("tests")
          .log(System.Logger.Level.WARNING, "skipped: no PostgreSQL packages here, or not root");
    }
    assumeTrue(DebianPostgres.isAvailable(), "no PostgreSQL packages here, or not root");
    server = DebianPostgres.start("bench", "bench");
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  Connection connect() throws SQLException {
    return Objects.requireNonNull(server).connectAsSuperuser();
  }
}
