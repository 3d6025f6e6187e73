package io.shardmark.driver.tpcc.conditions;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.Secret;
import io.shardmark.sql.embedded.EmbeddedServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class PostgresVerifierTest extends VerifierContract {
  private static final String USER = "benchmarksql";
  private static final Secret PASSWORD = new Secret("PWbmsql");

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static EmbeddedServer server;

  @BeforeAll
  static void start() throws SQLException {
    server =
        EmbeddedServer.start(
            "embedded:postgres?memory=128MB&fsync=off", USER, PASSWORD, "verify", 20, line -> {});
    try (Connection connection =
        DriverManager.getConnection(server.jdbcUrl(), USER, PASSWORD.value())) {
      TinyDatabase.createTables(connection, "timestamp");
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  Connection connect() throws SQLException {
    return DriverManager.getConnection(server.jdbcUrl(), USER, PASSWORD.value());
  }

  @Override
  DatabaseKind kind() {
    return DatabaseKind.POSTGRES;
  }
}
