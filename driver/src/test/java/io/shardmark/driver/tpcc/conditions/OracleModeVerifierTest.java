package io.shardmark.driver.tpcc.conditions;

import io.shardmark.config.DatabaseKind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Oracle's variant on H2 in its Oracle mode: a check of syntax and meaning, not of Oracle. */
final class OracleModeVerifierTest extends VerifierContract {
  private static final String URL = "jdbc:h2:mem:verify;MODE=Oracle;DB_CLOSE_DELAY=-1";

  @BeforeAll
  static void create() throws SQLException {
    try (Connection connection = DriverManager.getConnection(URL)) {
      TinyDatabase.createTables(connection, "timestamp");
    }
  }

  @AfterAll
  static void drop() throws SQLException {
    try (Connection connection = DriverManager.getConnection(URL)) {
      connection.createStatement().execute("SHUTDOWN");
    }
  }

  @Override
  Connection connect() throws SQLException {
    return DriverManager.getConnection(URL);
  }

  @Override
  DatabaseKind kind() {
    return DatabaseKind.ORACLE;
  }
}
