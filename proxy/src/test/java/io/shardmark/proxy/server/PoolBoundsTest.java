package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.session.SessionContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** More clients than one server connection can serve. */
final class PoolBoundsTest {
  /** Nobody is refused unless a test makes the wait shorter. */
  private static final String[] POOL = {"pool_size: 1", "pool_wait_timeout: 1min"};

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(1, POOL);
    proxy.makeOnShards("create table t (id int primary key, v int); insert into t values (1, 1)");
  }

  private static int value(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select v from t where id = 1")) {
      assertThat(rows.next()).isTrue();
      return rows.getInt(1);
    }
  }

  @Test
  void refusesWhoWaitsTooLongAndServesThemLater() throws Exception {
    try (Connection holder = proxy.connect();
        Connection waiter = proxy.connect()) {
      holder.setAutoCommit(false);
      assertThat(value(holder)).isEqualTo(1);
      proxy.reload("pool_size: 1", "pool_wait_timeout: 300ms");
      assertThatThrownBy(() -> value(waiter))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("53300"));
      proxy.reload(POOL);
      holder.commit();
      assertThat(value(waiter)).isEqualTo(1);
    }
  }

  @Test
  void aNameThatNoShardKnowsLeavesNothing() throws Exception {
    assertThatThrownBy(() -> DriverManager.getConnection(proxy.url(), "nobody", ""))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08006"));
    Await.until("its pools are thrown away", () -> pools("nobody") == 0);
    try (Connection client = proxy.connect()) {
      assertThat(value(client)).isEqualTo(1);
    }
    assertThat(pools("postgres")).isEqualTo(1);
  }

  private static int pools(String user) throws Exception {
    SessionContext loop = proxy.server().loops().get(0);
    return loop.loop().submit(() -> loop.pools().of(user).size()).get();
  }

  @Test
  void undoesTheTransactionOfAClientThatLeaves() throws SQLException {
    Connection leaver = proxy.connect();
    leaver.setAutoCommit(false);
    try (Statement statement = leaver.createStatement()) {
      statement.executeUpdate("update t set v = 2 where id = 1");
    }
    leaver.abort(Runnable::run);
    try (Connection next = proxy.connect()) {
      assertThat(value(next)).isEqualTo(1);
    }
  }
}
