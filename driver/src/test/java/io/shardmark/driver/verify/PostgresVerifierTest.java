package io.shardmark.driver.verify;

import io.shardmark.config.DatabaseKind;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class PostgresVerifierTest extends VerifierContract {
  @SuppressWarnings("NullAway.Init") // set before the first test
  private static EmbeddedPostgres server;

  @BeforeAll
  static void start() throws IOException, SQLException {
    server = EmbeddedPostgres.start();
    try (Connection connection = server.getPostgresDatabase().getConnection()) {
      TinyDatabase.createTables(connection, "timestamp");
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Override
  Connection connect() throws SQLException {
    return server.getPostgresDatabase().getConnection();
  }

  @Override
  DatabaseKind kind() {
    return DatabaseKind.POSTGRES;
  }
}
