package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.Await;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** pgjdbc through the proxy on two shards of one hash-partitioned table. */
final class SeveralShardsTest {
  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 4");
    proxy.makeOnShards(
        "create table t (id int primary key, v int) partition by hash (id);"
            + "create table t_$shard partition of t"
            + " for values with (modulus 2, remainder $shard);"
            + "create table r (id int primary key, v int)");
  }

  @BeforeEach
  void fill() throws SQLException {
    proxy.onShards("truncate t; truncate r");
    try (Connection connection = proxy.connect();
        PreparedStatement insert = connection.prepareStatement("insert into t values (?, ?)")) {
      for (int id = 1; id <= 20; id++) {
        insert.setInt(1, id);
        insert.setInt(2, 10 * id);
        assertThat(insert.executeUpdate()).isEqualTo(1);
      }
    }
  }

  private static int queryInt(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getInt(1);
    }
  }

  private static int countOn(int shard, String sql) throws SQLException {
    try (Connection connection = proxy.shard(shard)) {
      return queryInt(connection, sql);
    }
  }

  @Test
  void putsRowsWhereTheirHashSays() throws SQLException {
    int first = countOn(0, "select count(*) from t");
    int second = countOn(1, "select count(*) from t");
    assertThat(first).isPositive();
    assertThat(second).isPositive();
    assertThat(first + second).isEqualTo(20);
  }

  @Test
  void readsOneRowByItsKey() throws SQLException {
    for (String mode : new String[] {"extended", "simple"}) {
      try (Connection connection = proxy.connect("preferQueryMode=" + mode);
          PreparedStatement select = connection.prepareStatement("select v from t where id = ?")) {
        for (int id = 1; id <= 20; id++) {
          select.setInt(1, id);
          try (ResultSet rows = select.executeQuery()) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(10 * id);
          }
        }
      }
    }
  }

  @Test
  void readsASequenceAsATable() throws SQLException {
    try (Connection maker = proxy.connect();
        Statement statement = maker.createStatement()) {
      statement.execute("create sequence s");
      statement.execute("select setval('s', 41)");
    }
    for (String mode : new String[] {"extended", "simple", "extendedForPrepared"}) {
      try (Connection connection = proxy.connect("preferQueryMode=" + mode);
          PreparedStatement select =
              connection.prepareStatement("select last_value + ? from s where is_called")) {
        assertThat(queryInt(connection, "select last_value from s")).isEqualTo(41);
        for (int times = 1; times <= 7; times++) { // in binary from the sixth on
          select.setLong(1, times);
          try (ResultSet rows = select.executeQuery()) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getLong(1)).isEqualTo(41 + times);
          }
        }
      }
    }
  }

  @Test
  void mergesRowsOfAllShards() throws SQLException {
    for (String mode : new String[] {"extended", "simple"}) {
      try (Connection connection = proxy.connect("preferQueryMode=" + mode)) {
        assertThat(queryInt(connection, "select count(*) from t")).isEqualTo(20);
        assertThat(queryInt(connection, "select sum(v) from t")).isEqualTo(2100);
        try (Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery("select id from t order by v desc limit 5")) {
          for (int id = 20; id > 15; id--) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(id);
          }
          assertThat(rows.next()).isFalse();
        }
      }
    }
  }

  @Test
  void fetchesMergedRowsInPortions() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.setFetchSize(3);
      int expected = 0;
      try (ResultSet rows = statement.executeQuery("select id from t order by id")) {
        while (rows.next()) {
          assertThat(rows.getInt(1)).isEqualTo(++expected);
        }
      }
      assertThat(expected).isEqualTo(20);
      connection.commit();
    }
  }

  @Test
  void commitsOverShardsAtomically() throws SQLException {
    try (Connection connection = proxy.connect();
        PreparedStatement update =
            connection.prepareStatement("update t set v = v + 1 where id = ?")) {
      connection.setAutoCommit(false);
      for (int id = 1; id <= 20; id++) {
        update.setInt(1, id);
        assertThat(update.executeUpdate()).isEqualTo(1);
      }
      connection.commit();
      assertThat(queryInt(connection, "select sum(v) from t")).isEqualTo(2120);
      connection.rollback();
    }
    assertThat(countOn(0, "select count(*) from pg_prepared_xacts")).isZero();
  }

  @Test
  void rollsBackOverShards() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.executeUpdate("update t set v = 0");
      connection.rollback();
      assertThat(queryInt(connection, "select sum(v) from t")).isEqualTo(2100);
      connection.rollback();
    }
  }

  @Test
  void failsTheTransactionEverywhereWhenOneShardFails() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int id = 1; id <= 10; id++) {
        statement.executeUpdate("update t set v = 0 where id = " + id);
      }
      assertThatThrownBy(() -> statement.executeUpdate("update t set v = v / 0 where id = 3"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22012"));
      for (int id = 1; id <= 10; id++) {
        String sql = "select v from t where id = " + id;
        assertThatThrownBy(() -> statement.executeQuery(sql))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
      }
      connection.rollback();
      assertThat(queryInt(connection, "select sum(v) from t")).isEqualTo(2100);
      connection.rollback();
    }
  }

  @Test
  void writesAllShardsOutsideATransaction() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("update t set v = v + 1")).isEqualTo(20);
      assertThat(queryInt(connection, "select sum(v) from t")).isEqualTo(2120);
      assertThatThrownBy(() -> statement.executeUpdate("update t set v = 10 / (id - 7)"))
          .isInstanceOf(SQLException.class);
      assertThat(queryInt(connection, "select sum(v) from t")).isEqualTo(2120);
    }
  }

  @Test
  void splitsRowsOfOneInsert() throws SQLException {
    try (Connection connection = proxy.connect();
        PreparedStatement insert =
            connection.prepareStatement("insert into t values (?, ?), (?, ?), (?, ?), (?, ?)")) {
      for (int i = 0; i < 4; i++) {
        insert.setInt(2 * i + 1, 101 + i);
        insert.setInt(2 * i + 2, 1);
      }
      assertThat(insert.executeUpdate()).isEqualTo(4);
      assertThat(queryInt(connection, "select count(*) from t where id > 100")).isEqualTo(4);
    }
  }

  @Test
  void writesReferenceTablesEverywhere() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("insert into r values (1, 1), (2, 2)")).isEqualTo(2);
      assertThat(queryInt(connection, "select count(*) from r")).isEqualTo(2);
    }
    assertThat(countOn(0, "select count(*) from r")).isEqualTo(2);
    assertThat(countOn(1, "select count(*) from r")).isEqualTo(2);
  }

  @Test
  void rollsBackToASavepointOnShardsEnlistedLater() throws SQLException {
    try (Connection connection = proxy.connect("preferQueryMode=simple");
        Statement statement = connection.createStatement()) {
      statement.execute("begin");
      statement.executeUpdate("update t set v = 1 where id = 1");
      statement.execute("savepoint a");
      statement.executeUpdate("update t set v = 1");
      statement.execute("rollback to a");
      statement.execute("commit");
      assertThat(queryInt(connection, "select sum(v) from t")).isEqualTo(2100 - 10 + 1);
    }
  }

  @Test
  void makesATableOnAllShards() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("create table made (id int primary key)");
      statement.execute("insert into made values (1)");
      assertThat(queryInt(connection, "select count(*) from made")).isEqualTo(1);
      statement.execute("drop table made");
    }
    assertThat(countOn(1, "select count(*) from pg_class where relname = 'made'")).isZero();
  }

  @Test
  void dealsOutCopiedRows() throws Exception {
    try (Connection connection = proxy.connect()) {
      StringBuilder rows = new StringBuilder();
      for (int id = 1001; id <= 3000; id++) {
        rows.append(id).append('\t').append(id % 7).append('\n');
      }
      CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
      assertThat(copy.copyIn("copy t from stdin", new StringReader(rows.toString()), 1000))
          .isEqualTo(2000);
      assertThat(queryInt(connection, "select count(*) from t where id > 1000")).isEqualTo(2000);
      assertThatThrownBy(
              () -> copy.copyIn("copy t from stdin", new StringReader("5000\t1\nx\t2\n")))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22P02"));
      assertThat(queryInt(connection, "select count(*) from t where id = 5000")).isZero();
    }
  }

  @Test
  void cancelsWhatRuns() throws Exception {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      Thread canceller =
          new Thread(
              () -> {
                try (Connection watcher = proxy.shard(0)) {
                  Await.until(
                      "it sleeps",
                      () ->
                          queryInt(
                                  watcher,
                                  // Between Parse and Execute a server takes no cancel request.
                                  "select count(*) from pg_stat_activity where wait_event ="
                                      + " 'PgSleep' and query like '%pg_sleep(6%'")
                              > 0);
                  statement.cancel();
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      canceller.start();
      assertThatThrownBy(() -> statement.execute("select pg_sleep(60)"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
      canceller.join();
      assertThat(queryInt(connection, "select 1")).isEqualTo(1);
    }
  }

  @Test
  void refusesASecondShardToOneSnapshot() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> statement.executeUpdate("update t set v = 1"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
      connection.rollback();
    }
  }
}
