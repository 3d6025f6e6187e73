package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Tables that a transaction makes or changes, and uses before its COMMIT. */
final class OwnTablesTest {
  private static final String MADE =
      "create table n (id int primary key, v int default 7) partition by hash (id)";

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy =
        RunningProxy.start(2, "pool_size: 5", "sharding: {c: k, public.orders: w_id, stock: w_id}");
    proxy.makeOnShards("create table r (id int primary key, v int)");
  }

  @AfterEach
  void dropAll() throws SQLException {
    proxy.onShards("drop schema public cascade; create schema public");
    proxy.makeOnShards("create table r (id int primary key, v int)");
  }

  private static Connection begun(String mode) throws SQLException {
    Connection connection = proxy.connect("preferQueryMode=" + mode);
    connection.setAutoCommit(false);
    return connection;
  }

  private static void execute(Connection connection, String... all) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : all) {
        statement.execute(sql);
      }
    }
  }

  private static List<String> rows(Connection connection, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        rows.add(row.getString(1));
      }
    }
    return rows;
  }

  private static void makeHashed(Connection connection) throws SQLException {
    execute(
        connection,
        MADE,
        "create table n_0 partition of n for values with (modulus 2, remainder 0)",
        "create table n_1 partition of n for values with (modulus 2, remainder 1)");
  }

  private static List<Integer> counts(String table) throws SQLException {
    List<Integer> counts = new ArrayList<>();
    for (int shard = 0; shard < 2; shard++) {
      try (Connection connection = proxy.shard(shard)) {
        counts.add(Integer.valueOf(rows(connection, "select count(*) from " + table).get(0)));
      }
    }
    return counts;
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended", "extendedForPrepared"})
  void makesFillsAndReadsTablesOfAllKinds(String mode) throws SQLException {
    try (Connection connection = begun(mode)) {
      makeHashed(connection);
      try (PreparedStatement insert =
          connection.prepareStatement("insert into n (id) values (?)")) {
        for (int id = 1; id <= 10; id++) {
          insert.setInt(1, id);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      assertThat(rows(connection, "select count(*) from n where v = 7")).containsExactly("10");
      execute(connection, "alter table n add column w int default 3");
      execute(connection, "insert into n (id, w) values (11, 4), (12, 4), (13, 4)");
      assertThat(rows(connection, "select id from n where w = 4 order by id"))
          .containsExactly("11", "12", "13");
      execute(connection, "create table ref (id int primary key)", "insert into ref values (1)");
      assertThat(rows(connection, "select v from n join ref using (id)")).containsExactly("7");
      execute(connection, "create table c (k int primary key, s text)");
      execute(connection, "insert into c values (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')");
      assertThat(rows(connection, "select count(*) from c")).containsExactly("4");
      execute(connection, "alter table ref rename to ref2", "update ref2 set id = 5");
      assertThat(rows(connection, "select id from ref2")).containsExactly("5");
      connection.commit();
      assertThat(rows(connection, "select count(*) from n")).containsExactly("13");
    }
    assertThat(counts("n")).doesNotContain(0, 13);
    assertThat(counts("c").stream().mapToInt(Integer::intValue).sum()).isEqualTo(4);
    assertThat(counts("ref2")).containsExactly(1, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void nobodyElseSeesThemAndRollbackForgetsThem(String mode) throws SQLException {
    try (Connection connection = begun(mode);
        Connection other = proxy.connect("preferQueryMode=" + mode)) {
      // A reference table for the others, and for this transaction a sharded one.
      execute(connection, "drop table r");
      execute(connection, "create table r (id int primary key) partition by hash (id)");
      execute(
          connection, "create table r_0 partition of r for values with (modulus 1, remainder 0)");
      execute(connection, "create table x (id int)", "insert into x values (1)");
      execute(connection, "insert into r values (1), (2)");
      assertThat(rows(connection, "select count(*) from r")).containsExactly("2");
      assertThatThrownBy(() -> rows(other, "select * from x"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("\"x\"");
      connection.rollback();
      execute(other, "insert into r values (5, 5)");
      assertThat(counts("r")).containsExactly(1, 1);
      execute(connection, "insert into r values (6, 6)");
      assertThat(rows(connection, "select count(*) from r")).containsExactly("2");
      connection.commit();
      assertThat(counts("r")).containsExactly(2, 2);
      assertThatThrownBy(() -> rows(connection, "select * from x"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("\"x\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void rollbackToSavepointBringsTheFormerOnesBack(String mode) throws SQLException {
    try (Connection connection = begun(mode)) {
      makeHashed(connection);
      execute(connection, "insert into n values (1), (2), (3)");
      Savepoint before = connection.setSavepoint();
      execute(connection, "drop table n", "create table n (id int, z int)");
      execute(connection, "insert into n values (1, 2)");
      assertThat(rows(connection, "select z from n")).containsExactly("2");
      connection.rollback(before);
      assertThat(rows(connection, "select count(*) from n where v = 7")).containsExactly("3");
      Savepoint again = connection.setSavepoint();
      assertThatThrownBy(() -> execute(connection, "insert into n (id, z) values (9, 9)"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("\"z\"");
      connection.rollback(again);
      execute(connection, "insert into n values (4)");
      connection.commit();
      assertThat(rows(connection, "select count(*) from n")).containsExactly("4");
      connection.commit();
    }
    assertThat(counts("n")).doesNotContain(0, 4);
  }

  @Test
  void oneQueryMayMakeAndUseATable() throws SQLException {
    try (Connection connection = proxy.connect("preferQueryMode=simple")) {
      execute(
          connection,
          "create table a (id int); insert into a values (1); insert into a select id + 1 from a;"
              + "create schema q; set search_path = q; create table b (id int);"
              + "insert into b select id from public.a; select * from b");
      assertThat(counts("a")).containsExactly(2, 2);
      assertThat(counts("q.b")).containsExactly(2, 2);
      execute(connection, "drop schema q cascade");
    }
  }

  @Test
  void copiesIntoANewTable() throws Exception {
    try (Connection connection = begun("extended")) {
      makeHashed(connection);
      long copied =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn(
                  "copy n (id, v) from stdin", new StringReader("1\t1\n2\t2\n3\t3\n4\t4\n5\t5\n"));
      assertThat(copied).isEqualTo(5);
      assertThat(rows(connection, "select sum(v) from n")).containsExactly("15");
      connection.commit();
    }
    assertThat(counts("n")).doesNotContain(0, 5);
  }

  /** PostgreSQL refuses a statement that it has prepared with other columns of its result. */
  @ParameterizedTest
  @ValueSource(strings = {"id = 1", "id > 0"})
  void textsArePreparedAnewWhenTablesHaveChanged(String where) throws SQLException {
    String sql = "select * from n where " + where;
    try (Connection connection = begun("extended");
        Connection other = proxy.connect()) {
      makeHashed(connection);
      execute(connection, "insert into n values (1)");
      assertThat(rows(connection, sql)).hasSize(1);
      execute(connection, "alter table n add column w int default 5");
      assertThat(rows(connection, sql)).hasSize(1);
      connection.commit();
      assertThat(rows(other, sql)).hasSize(1);
      execute(connection, "alter table n add column x int default 6");
      connection.commit();
      try (Connection third = proxy.connect()) {
        assertThat(rows(third, sql)).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void aTableIsAlteredThatTheTransactionHasRead(String mode) throws SQLException {
    try (Connection connection = begun(mode)) {
      assertThat(rows(connection, "select * from r where id = 1")).isEmpty();
      execute(connection, "alter table r add column w int");
      assertThat(rows(connection, "select w from r")).isEmpty();
      execute(connection, "truncate r");
      connection.rollback();
    }
  }

  @Test
  void aSequenceGoesOnBehindTheGreatestKey() throws SQLException {
    try (Connection connection = begun("simple")) {
      makeHashed(connection);
      execute(connection, "insert into n values (40), (41), (42)", "create sequence s");
      assertThat(rows(connection, "select setval('s', (select coalesce(max(id), 0) + 1 from n))"))
          .containsExactly("43");
      assertThat(rows(connection, "select nextval('s') > 43")).containsExactly("t");
      connection.rollback();
    }
  }

  @Test
  void ddlOnNewTablesIsCheckedLikeThatOnOldOnes() throws SQLException {
    try (Connection connection = begun("simple")) {
      makeHashed(connection);
      assertThatThrownBy(() -> execute(connection, "create unique index on n (v)"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("without its sharding column");
      connection.rollback();
      makeHashed(connection);
      execute(connection, "alter table n_0 add check (v > 0)", "comment on table n_1 is 'x'");
      execute(connection, "insert into n_1 select id from generate_series(1, 0) id");
      execute(connection, "drop table n_0");
      assertThatThrownBy(() -> execute(connection, "insert into n values (1), (2), (3), (4)"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("no partition of relation");
      connection.rollback();
    }
  }
}
