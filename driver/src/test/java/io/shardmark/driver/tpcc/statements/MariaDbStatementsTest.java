package io.shardmark.driver.tpcc.statements;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.servers.PrivateMariaDb;
import io.shardmark.sql.script.ScriptStep;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The two profiles of MariaDB on a real server with foreign keys, at its default isolation. */
final class MariaDbStatementsTest {
  private static @Nullable PrivateMariaDb server;

  @BeforeAll
  static void start() throws IOException, InterruptedException, SQLException {
    if (!PrivateMariaDb.isInstalled()) {
      System.getLogger("tests").log(System.Logger.Level.WARNING, "skipped: no mariadbd here");
    }
    assumeTrue(PrivateMariaDb.isInstalled(), "no mariadbd on this machine");
    server = PrivateMariaDb.start("bench", "bench");
    try (Connection connection = server.connect()) {
      SmallTpcc.create(connection, DatabaseKind.MARIADB, ScriptStep.beforeLoad());
      SmallTpcc.reset(connection);
      connection.setAutoCommit(true);
      SmallTpcc.create(connection, DatabaseKind.MARIADB, ScriptStep.afterLoad());
    }
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static Connection open() throws SQLException {
    Connection connection = Objects.requireNonNull(server).connect();
    connection.setAutoCommit(false);
    return connection;
  }

  private abstract static class OnMariaDb extends StatementContract {
    @Override
    Connection connect() throws SQLException {
      return open();
    }

    @Override
    DatabaseKind kind() {
      return DatabaseKind.MARIADB;
    }
  }

  @Nested
  final class BenchmarkSql extends OnMariaDb implements WrongDataContract {
    @Override
    StatementProfile profile() {
      return StatementProfile.BENCHMARKSQL;
    }
  }

  @Nested
  final class Batched extends OnMariaDb implements WrongDataContract {
    @Override
    StatementProfile profile() {
      return StatementProfile.BATCHED;
    }
  }

  @Test
  void bothProfilesLeaveTheSameRowsAndOutcomes() throws SQLException {
    SmallTpcc.requireSameResults(
        MariaDbStatementsTest::open,
        List.of(StatementProfile.BENCHMARKSQL, StatementProfile.BATCHED),
        (profile, own) ->
            StatementProfiles.open(profile, DatabaseKind.MARIADB, Optional.empty(), own));
  }
}
