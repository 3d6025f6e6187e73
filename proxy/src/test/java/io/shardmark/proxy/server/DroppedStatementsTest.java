package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A client executes DEALLOCATE ALL where the proxy does not see it, on the only server connection:
 * others lose what they have prepared there at most once.
 */
final class DroppedStatementsTest {
  private static final String DROP_ALL = "do $$begin execute 'deallocate all'; end$$";

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(1, "pool_size: 1");
  }

  private static void dropAll() throws SQLException {
    try (Connection client = proxy.connect("preferQueryMode=simple");
        Statement statement = client.createStatement()) {
      statement.execute(DROP_ALL);
    }
  }

  private static int result(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void transactionsBegin() throws SQLException {
    try (Connection client = proxy.connect();
        PreparedStatement statement = client.prepareStatement("select 1")) {
      client.setAutoCommit(false);
      assertThat(result(statement)).isEqualTo(1);
      client.commit();
      dropAll();
      assertThat(result(statement)).isEqualTo(1);
      client.commit();
    }
  }

  @Test
  void aNamedStatementFailsOnce() throws SQLException {
    try (Connection client = proxy.connect("prepareThreshold=1", "autosave=never");
        PreparedStatement statement = client.prepareStatement("select 2")) {
      assertThat(result(statement)).isEqualTo(2);
      assertThat(result(statement)).isEqualTo(2);
      dropAll();
      client.setAutoCommit(false); // else pgjdbc would prepare it again by itself
      assertThatThrownBy(() -> result(statement))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("26000"));
      client.rollback();
      assertThat(result(statement)).isEqualTo(2);
      client.commit();
    }
    try (Connection client = proxy.connect("prepareThreshold=1");
        PreparedStatement statement = client.prepareStatement("select 2")) {
      assertThat(result(statement)).isEqualTo(2);
      assertThat(result(statement)).isEqualTo(2);
    }
  }
}
