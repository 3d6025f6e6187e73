package io.shardmark.driver.tpcc.conditions;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.config.DatabaseKind;
import io.shardmark.servers.PrivateMariaDb;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class MariaDbVerifierTest extends VerifierContract {
  private static @Nullable PrivateMariaDb server;

  @BeforeAll
  static void start() throws IOException, InterruptedException, SQLException {
    if (!PrivateMariaDb.isInstalled()) {
      System.getLogger("tests").log(System.Logger.Level.WARNING, "skipped: no mariadbd here");
    }
    assumeTrue(PrivateMariaDb.isInstalled(), "no mariadbd on this machine");
    server = PrivateMariaDb.start("bench", "bench");
    try (Connection connection = server.connect()) {
      TinyDatabase.createTables(connection, "datetime");
    }
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  Connection connect() throws SQLException {
    return Objects.requireNonNull(server).connect();
  }

  @Override
  DatabaseKind kind() {
    return DatabaseKind.MARIADB;
  }
}
