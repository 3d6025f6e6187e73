package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** DECLARE, FETCH, MOVE and CLOSE on one shard and over two. */
final class SqlCursorTest {
  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 4");
    proxy.makeOnShards(
        "create table t (id int primary key, v int) partition by hash (id);"
            + "create table t_$shard partition of t"
            + " for values with (modulus 2, remainder $shard);"
            + "insert into t select g, g from generate_series(1, 3000) g"
            + " where satisfies_hash_partition('t'::regclass, 2, $shard, g)");
  }

  private static List<Integer> ids(Statement statement, String sql) throws SQLException {
    List<Integer> ids = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        ids.add(rows.getInt(1));
      }
    }
    return ids;
  }

  private static Integer[] range(int first, int last) {
    return IntStream.rangeClosed(first, last).boxed().toArray(Integer[]::new);
  }

  private static void assertFails(Statement statement, String sql, String state) {
    assertThatThrownBy(() -> statement.execute(sql))
        .as(sql)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  @Test
  void fetchesForwardOverTwoShards() throws SQLException {
    for (String mode : new String[] {"extended", "simple"}) {
      try (Connection connection = proxy.connect("preferQueryMode=" + mode);
          Statement statement = connection.createStatement();
          Statement other = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute("declare \"C\" no scroll cursor for select id, v from t order by id");
        statement.execute("declare d cursor for select id from t where id < 6 order by id desc");
        other.executeUpdate("update t set v = -1 where id = 2");
        assertThat(ids(statement, "fetch \"C\"")).containsExactly(1);
        try (ResultSet rows = statement.executeQuery("fetch next from \"C\"")) {
          assertThat(rows.next()).isTrue();
          // The cursor sees what there was when it was declared.
          assertThat(rows.getInt("v")).isEqualTo(2);
        }
        assertThat(ids(statement, "fetch forward 1500 in \"C\"")).containsExactly(range(3, 1502));
        assertThat(ids(statement, "fetch 2 from d")).containsExactly(5, 4);
        assertThat(statement.executeUpdate("move 100 in \"C\"")).isEqualTo(100);
        assertThat(ids(statement, "fetch all from \"C\"")).containsExactly(range(1603, 3000));
        assertThat(ids(statement, "fetch \"C\"")).isEmpty();
        assertThat(ids(statement, "fetch all d")).containsExactly(3, 2, 1);
        statement.execute("close d");
        statement.execute("close all");
        assertFails(statement, "fetch from \"C\"", "34000");
        connection.rollback();
      }
    }
  }

  @Test
  void passesCursorsOfOneShardOn() throws SQLException {
    for (String mode : new String[] {"extended", "simple"}) {
      try (Connection connection = proxy.connect("preferQueryMode=" + mode);
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        for (int id = 1; id <= 8; id++) {
          statement.execute(
              "declare c" + id + " scroll cursor for select id, v from t where id = " + id);
        }
        for (int id = 1; id <= 8; id++) {
          assertThat(ids(statement, "fetch c" + id)).containsExactly(id);
          assertThat(ids(statement, "fetch c" + id)).isEmpty();
          assertThat(ids(statement, "fetch backward 1 from c" + id)).containsExactly(id);
        }
        statement.execute("close c1");
        assertThat(ids(statement, "fetch prior from c2")).isEmpty();
        statement.execute("close all");
        assertFails(statement, "fetch c3", "34000");
        connection.rollback();
      }
    }
  }

  @Test
  void keepsACursorWithHoldOfOneShard() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("declare h cursor with hold for select id from t where id = 3");
      assertThat(ids(statement, "fetch h")).containsExactly(3);
      statement.execute("close h");
    }
  }

  @Test
  void declaresWithParameters() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement();
        PreparedStatement several =
            connection.prepareStatement(
                "declare c cursor for select id from t where v between ? and ? order by id");
        PreparedStatement one =
            connection.prepareStatement("declare o cursor for select id from t where id = ?")) {
      connection.setAutoCommit(false);
      several.setInt(1, 10);
      several.setInt(2, 19);
      several.execute();
      one.setInt(1, 7);
      one.execute();
      assertThat(ids(statement, "fetch all from c")).containsExactly(range(10, 19));
      assertThat(ids(statement, "fetch all from o")).containsExactly(7);
      connection.rollback();
    }
  }

  @Test
  void endsCursorsWithTheirTransactionAndSavepoint() throws SQLException {
    try (Connection connection = proxy.connect("preferQueryMode=simple");
        Statement statement = connection.createStatement()) {
      statement.execute("begin; declare c cursor for select id from t order by id");
      assertThat(ids(statement, "fetch c")).containsExactly(1);
      statement.execute("savepoint a");
      statement.execute("declare d cursor for select id from t order by id");
      statement.execute("rollback to a");
      assertThat(ids(statement, "fetch c")).containsExactly(2);
      assertFails(statement, "fetch d", "34000");
      statement.execute("rollback");
      statement.execute("begin");
      assertFails(statement, "fetch c", "34000");
      statement.execute("rollback");
      assertThat(ids(statement, "select 1")).containsExactly(1);
    }
  }

  /** The present row once more: none before the first one and behind the last one. */
  @Test
  void fetchesNoRows() throws SQLException {
    try (Connection connection = proxy.connect("preferQueryMode=simple");
        Statement statement = connection.createStatement()) {
      statement.execute("begin");
      statement.execute("declare c no scroll cursor for select id from t order by id");
      assertThat(ids(statement, "fetch 0 from c")).isEmpty();
      assertThat(statement.executeUpdate("move 0 from c")).isZero();
      assertThat(ids(statement, "fetch c")).hasSize(1);
      assertThat(statement.executeUpdate("move 0 from c")).isOne();
      assertThat(ids(statement, "fetch all from c")).isNotEmpty();
      assertThat(ids(statement, "fetch forward 0 from c")).isEmpty();
      statement.execute("rollback");
      statement.execute("begin");
      statement.execute("declare c no scroll cursor for select id from t order by id");
      assertThat(ids(statement, "fetch 2 from c")).hasSize(2);
      assertFails(statement, "fetch 0 from c", "55000");
      statement.execute("rollback");
    }
  }

  @Test
  void refusesWhatCannotBeRight() throws SQLException {
    try (Connection connection = proxy.connect("preferQueryMode=simple");
        Statement statement = connection.createStatement()) {
      assertFails(statement, "declare c cursor for select id from t", "25P01");
      for (String kind : List.of("scroll cursor", "binary cursor", "cursor with hold")) {
        statement.execute("begin");
        assertFails(statement, "declare c " + kind + " for select id from t", "0A000");
        statement.execute("rollback");
      }
      for (String fetch : List.of("prior", "backward 2", "absolute 3", "first", "-1")) {
        statement.execute("begin");
        statement.execute("declare c cursor for select id from t");
        assertFails(statement, "fetch " + fetch + " from c", "55000");
        statement.execute("rollback");
      }
      statement.execute("begin");
      statement.execute("declare c cursor for select id from t");
      assertFails(statement, "declare c cursor for select id from t where id = 1", "42P03");
      statement.execute("rollback");
      statement.execute("begin");
      statement.execute("declare c cursor for select id from t");
      assertFails(statement, "update t set v = 0 where current of c", "0A000");
      statement.execute("rollback");
      statement.execute("begin");
      assertFails(statement, "declare c cursor for select id from t limit 1 for update", "0A000");
      statement.execute("rollback");
    }
  }
}
