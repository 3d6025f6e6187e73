package io.shardmark.driver.tpcc.statements;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.sql.script.ScriptStep;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Oracle's batched profile on H2 in its Oracle mode: a check of syntax and meaning, not of Oracle.
 */
final class OracleModeStatementsTest extends StatementContract implements WrongDataContract {
  private static final String URL =
      "jdbc:h2:mem:statements;MODE=Oracle;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";

  @BeforeAll
  static void create() throws SQLException {
    try (Connection connection = DriverManager.getConnection(URL)) {
      SmallTpcc.create(
          connection,
          DatabaseKind.ORACLE,
          List.of(ScriptStep.TABLE_CREATES, ScriptStep.INDEX_CREATES, ScriptStep.FOREIGN_KEYS));
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
    Connection connection = DriverManager.getConnection(URL);
    connection.setAutoCommit(false);
    return connection;
  }

  @Override
  DatabaseKind kind() {
    return DatabaseKind.ORACLE;
  }

  @Override
  StatementProfile profile() {
    return StatementProfile.BATCHED;
  }
}
