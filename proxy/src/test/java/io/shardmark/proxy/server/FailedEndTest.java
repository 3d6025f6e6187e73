package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.faults.Relay;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server that fails a COMMIT or ROLLBACK before it has ended anything, as one does that a cancel
 * request meets there, leaves no failed transaction to a client that keeps its connections.
 */
final class FailedEndTest {
  private static Relay link;
  @AutoClose private static RunningProxy transactions;
  @AutoClose private static RunningProxy sessions;

  @BeforeAll
  static void start() throws SQLException, IOException {
    link = Relay.to(RunningProxy.serverPort());
    transactions = started("transaction");
    sessions = started("session");
  }

  private static RunningProxy started(String mode) throws SQLException {
    RunningProxy proxy = RunningProxy.startBehind(link, 2, "pool_mode: " + mode, "pool_size: 1");
    proxy.makeOnShards(
        "create table l (id int primary key, v int) partition by list (id);"
            + "create table l_$shard partition of l for values in ($shard + 1)");
    return proxy;
  }

  @BeforeEach
  void fill() throws SQLException {
    for (RunningProxy proxy : new RunningProxy[] {transactions, sessions}) {
      proxy.onShards("truncate l; insert into l values ($shard + 1, 0)");
    }
  }

  @AfterEach
  void broken() {
    assertThat(link.breaksNext()).as("the end was sent").isFalse();
  }

  private static String state(Statement statement, String sql) {
    try {
      statement.execute(sql);
      return "";
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }

  /** {@code first} makes the client keep its connections, or nothing. */
  @ParameterizedTest
  @CsvSource({
    "session, select 1, ROLLBACK, ''",
    "session, select 1, COMMIT, 42601",
    "transaction, /* shardmark_shard: s1 */ create temporary table mine (id int), ROLLBACK, ''",
    "transaction, /* shardmark_shard: s1 */ create temporary table mine (id int), COMMIT, 42601",
    "transaction, select 1, ROLLBACK, ''",
    "transaction, select 1, COMMIT, 42601"
  })
  void isFollowedByTheNextTransaction(String mode, String first, String end, String expected)
      throws SQLException {
    RunningProxy proxy = mode.equals("session") ? sessions : transactions;
    try (Connection client = proxy.connect("preferQueryMode=simple", "socketTimeout=60");
        Statement statement = client.createStatement()) {
      statement.execute(first);
      statement.execute("begin");
      statement.execute("select sum(v) from l");
      statement.execute("select v from l where id = 2");
      link.breakNext(end);
      assertThat(state(statement, end)).as(end).isEqualTo(expected);
      for (int id = 1; id <= 2; id++) {
        assertThat(state(statement, "update l set v = v + 1 where id = " + id)).isEmpty();
      }
      statement.execute("begin");
      assertThat(state(statement, "update l set v = v + 1")).isEmpty();
      assertThat(state(statement, "commit")).isEmpty();
    }
    for (int shard = 0; shard < 2; shard++) {
      try (Connection past = proxy.shard(shard);
          Statement statement = past.createStatement();
          ResultSet row = statement.executeQuery("select v from l")) {
        row.next();
        assertThat(row.getInt(1)).isEqualTo(2);
      }
    }
  }
}
