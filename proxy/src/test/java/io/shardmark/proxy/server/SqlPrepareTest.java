package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** PREPARE and EXECUTE in SQL, and temporary tables, over two shards and one. */
final class SqlPrepareTest {
  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 4");
    proxy.makeOnShards(
        "create table t (id int primary key, v text) partition by hash (id);"
            + "create table t_$shard partition of t"
            + " for values with (modulus 2, remainder $shard);"
            + "create table r (id int primary key, v text)");
  }

  @BeforeEach
  void fill() throws SQLException {
    proxy.onShards(
        "truncate t;"
            + "insert into t select g, 'row ' || g from generate_series(1, 20) g"
            + " where satisfies_hash_partition('t'::regclass, 2, $shard, g)");
  }

  private static List<String> rows(Statement statement, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        rows.add(result.getString(1));
      }
    }
    return rows;
  }

  private static void assertFails(Statement statement, String sql, String state) {
    assertThatThrownBy(() -> statement.execute(sql))
        .as(sql)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  @Test
  void refusesThemUnlessTheShardIsGiven() throws SQLException {
    try (Connection connection = proxy.connect("preferQueryMode=simple");
        Statement statement = connection.createStatement()) {
      assertFails(statement, "prepare all_rows as select id from t", "0A000");
      assertFails(statement, "execute all_rows", "0A000");
      statement.execute("set shardmark.shard = 's1'");
      statement.execute("prepare all_rows as select id from t");
      int here = rows(statement, "execute all_rows").size();
      assertThat(here).isBetween(1, 19);
      statement.execute("prepare put (text) as update t set v = $1");
      assertThat(statement.executeUpdate("execute put('x')")).isEqualTo(here);
    }
  }

  @Test
  void refusesTemporaryTablesUnlessTheShardIsGiven() throws SQLException {
    try (Connection connection = proxy.connect("preferQueryMode=simple");
        Statement statement = connection.createStatement()) {
      assertFails(statement, "create temp table mine (id int)", "0A000");
      assertFails(statement, "select id into temp mine from t", "0A000");
      statement.execute("set shardmark.shard = 's1'");
      statement.execute("create temp table mine as select 7 as id");
      assertThat(rows(statement, "select id from mine")).containsExactly("7");
      statement.execute("reset shardmark.shard");
      assertFails(statement, "select id from mine", "0A000");
    }
    try (Connection connection = proxy.connect("preferQueryMode=simple");
        Statement statement = connection.createStatement()) {
      statement.execute("set shardmark.shard = 's1'");
      assertFails(statement, "select id from mine", "42P01");
    }
  }

  @Test
  void leavesThemToTheServerIfThereIsOnlyOne() throws SQLException {
    try (RunningProxy single = RunningProxy.start(1, "pool_size: 4");
        Connection connection = single.connect("preferQueryMode=simple");
        Connection other = single.connect("preferQueryMode=simple");
        Statement statement = connection.createStatement();
        Statement busy = other.createStatement()) {
      statement.execute("create temp table mine (id int)");
      statement.execute("insert into mine values (1), (2), (3)");
      statement.execute("prepare p as select id from mine where id > $1 order by id");
      for (int i = 0; i < 5; i++) {
        assertThat(rows(busy, "select 1")).containsExactly("1");
        assertThat(rows(statement, "execute p(1 + 0)")).containsExactly("2", "3");
      }
      statement.execute("declare h cursor with hold for select id from mine order by id");
      assertThat(rows(statement, "fetch h")).containsExactly("1");
      assertThat(rows(busy, "select 1")).containsExactly("1");
      assertThat(rows(statement, "fetch h")).containsExactly("2");
      statement.execute("deallocate p");
      assertFails(statement, "execute p(1)", "26000");
    }
  }
}
