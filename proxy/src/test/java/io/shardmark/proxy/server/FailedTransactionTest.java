package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A transaction that has failed on one shard holds locks on no other, as one that has failed on one
 * server holds none, although its client has not said ROLLBACK yet.
 */
final class FailedTransactionTest {
  private static final int HERE = 1;
  private static final int THERE = 2;

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 4");
    proxy.makeOnShards(
        "create table l (id int, v int, primary key (id)) partition by list (id);"
            + "create table l_$shard partition of l for values in ($shard + 1)");
  }

  @BeforeEach
  void fill() throws SQLException {
    proxy.onShards("truncate l; insert into l values ($shard + 1, 0)");
  }

  private static void execute(Connection connection, String... sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String one : sql) {
        statement.execute(one);
      }
    }
  }

  private static String state(Connection connection, String sql) {
    try {
      execute(connection, sql);
      return "";
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }

  private static String update(int id, int value) {
    return "update l set v = " + value + " where id = " + id;
  }

  private static int value(Connection connection, int id) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select v from l where id = " + id)) {
      row.next();
      return row.getInt(1);
    }
  }

  /** Whether another client finds that row locked. */
  private static boolean isLocked(int id) throws SQLException {
    try (Connection other = proxy.connect("preferQueryMode=simple")) {
      String found = state(other, "select * from l where id = " + id + " for update nowait");
      assertThat(found).isIn("", "55P03");
      return !found.isEmpty();
    }
  }

  /** Locks are given up when the server has rolled back, which nobody waits for. */
  private static void awaitUnlocked(int id) throws Exception {
    Await.until("row " + id + " is not locked", () -> !isLocked(id));
  }

  private static void assertFailedUntilItsEnd(Connection client, String end) throws SQLException {
    assertThat(state(client, "select 1")).isEqualTo("25P02");
    assertThat(state(client, update(HERE, 9))).isEqualTo("25P02");
    execute(client, end);
    assertThat(value(client, HERE)).isZero();
    assertThat(value(client, THERE)).isZero();
    execute(client, "begin", update(HERE, 5), update(THERE, 6), "commit");
    assertThat(value(client, HERE)).isEqualTo(5);
    assertThat(value(client, THERE)).isEqualTo(6);
    execute(client, update(HERE, 0), update(THERE, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void whatFailsOnOneShardIsUndoneOnTheOther(String mode) throws Exception {
    try (Connection client = proxy.connect("preferQueryMode=" + mode)) {
      for (String end : new String[] {"rollback", "commit", "rollback and chain; commit"}) {
        execute(client, "begin", update(HERE, 1));
        assertThat(isLocked(HERE)).isTrue();
        assertThat(state(client, "update l set v = 1 / (v * 0) where id = " + THERE))
            .isEqualTo("22012");
        awaitUnlocked(HERE);
        awaitUnlocked(THERE);
        assertFailedUntilItsEnd(client, end);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void whatFailsOnBothIsUndoneOnBoth(String mode) throws Exception {
    try (Connection client = proxy.connect("preferQueryMode=" + mode)) {
      execute(client, "begin", update(HERE, 1), update(THERE, 1));
      // On the shard of the second row only.
      assertThat(state(client, "update l set v = 1 / (id - 2)")).isEqualTo("22012");
      awaitUnlocked(HERE);
      awaitUnlocked(THERE);
      assertFailedUntilItsEnd(client, "rollback");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void whatTheProxyRefusesIsUndone(String mode) throws Exception {
    try (Connection client = proxy.connect("preferQueryMode=" + mode)) {
      for (int shards = 1; shards <= 2; shards++) {
        execute(client, "begin", update(HERE, 1));
        if (shards == 2) {
          execute(client, update(THERE, 1));
        }
        assertThat(state(client, "update l set id = 7 where v = 1")).isEqualTo("0A000");
        awaitUnlocked(HERE);
        awaitUnlocked(THERE);
        assertFailedUntilItsEnd(client, "rollback");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void whatCanGoBackToASavepointKeepsItsLocks(String mode) throws Exception {
    try (Connection client = proxy.connect("preferQueryMode=" + mode)) {
      execute(client, "begin", update(HERE, 1), "savepoint a");
      assertThat(state(client, "update l set v = 1 / (v * 0) where id = " + THERE))
          .isEqualTo("22012");
      assertThat(isLocked(HERE)).isTrue();
      execute(client, "rollback to a", update(THERE, 2), "commit");
      assertThat(value(client, HERE)).isEqualTo(1);
      assertThat(value(client, THERE)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void settingsOfAnUndoneTransactionAreUndone(String mode) throws Exception {
    try (Connection client = proxy.connect("preferQueryMode=" + mode)) {
      execute(client, "set work_mem = '5MB'", "begin", "set work_mem = '7MB'", update(HERE, 1));
      assertThat(state(client, "select 1 / (v * 0) from l where id = " + THERE)).isEqualTo("22012");
      awaitUnlocked(HERE);
      execute(client, "rollback");
      for (int id : new int[] {HERE, THERE}) {
        try (Statement statement = client.createStatement();
            ResultSet row =
                statement.executeQuery(
                    "select current_setting('work_mem') from l where id = " + id)) {
          row.next();
          assertThat(row.getString(1)).isEqualTo("5MB");
        }
      }
    }
  }
}
