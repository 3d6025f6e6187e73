package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** INSERT of the rows of a query, through a proxy over three shards as by one server. */
final class InsertSelectTest {
  private static final List<String> TABLES = List.of("t", "c", "l", "u");

  /** The partition key behind each table. */
  private static final String MADE =
      """
      create type mood as enum ('sad', 'it''s ok', 'hap"py');
      create table src (k int primary key, v int, name text, at timestamptz, m mood, tags text[],
        n numeric(8,2), f float8, b bytea, c char(6)) %1$s;
      create table t (k bigint primary key, v int default 7, name varchar(5), at date, m mood,
        tags text[], n numeric(6,1), f float4, b bytea, c text,
        made timestamptz not null default now(), check (v < 1000)) %1$s;
      create table c (a int, b smallint not null, x text default 'none', primary key (a, b)) %2$s;
      create table l (code varchar(4) primary key, v int) %3$s;
      create table u (id uuid primary key, v text) %4$s;
      create table ref (id int primary key, v int);
      """;

  @AutoClose private static RunningProxy proxy;
  private static String plainUrl = "";

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(3, "pool_size: 4", "scatter_memory_limit: 1MB");
    plainUrl = RunningProxy.plainDatabase();
    try (Connection plain = plain();
        Statement statement = plain.createStatement()) {
      statement.execute(MADE.formatted("", "", "", ""));
    }
    String made =
        MADE.formatted(
            "partition by hash (k)",
            "partition by hash (a)",
            "partition by hash (code)",
            "partition by hash (id)");
    StringBuilder partitions = new StringBuilder();
    for (String table : List.of("src", "t", "c", "l", "u")) {
      partitions.append(
          "create table %1$s_$shard partition of %1$s for values with (modulus 3, remainder $shard);"
              .formatted(table));
    }
    proxy.makeOnShards(made + partitions);
    for (Connection connection : List.of(plain(), proxy.connect())) {
      try (connection;
          Statement statement = connection.createStatement()) {
        statement.execute(
            """
            insert into src values
              (1, 10, 'one', '2024-02-29 10:00+02', 'sad', '{}', 1.25, 0.1, '\\x00ff', 'a'),
              (2, 20, 'it''s', '2024-02-29 23:30Z', 'it''s ok', '{a,NULL,"b,\\"c"}', -1.35, 1e9, '', ''),
              (3, 30, null, null, null, null, null, null, null, null),
              (4, 40, 'a\\b"{}', 'infinity', 'hap"py', '{{x},{y}}', 99.99, 'nan', '\\x41', 'é  ü'),
              (5, 50, '', '2024-12-31', 'sad', '{""}', 0, -0.0, null, 'abcdef'),
              (6, 60, 'NULL', '2024-06-01 00:00+14', 'sad', '{NULL}', 5, 1, null, 'NULL')\
            """);
        statement.execute("insert into ref values (1, 100), (2, 200), (3, 300), (4, null)");
      }
    }
  }

  private static Connection plain(String... parameters) throws SQLException {
    return RunningProxy.open(plainUrl + "?" + String.join("&", parameters));
  }

  @BeforeEach
  void empty() throws SQLException {
    for (Connection connection : List.of(plain(), proxy.connect())) {
      try (connection;
          Statement statement = connection.createStatement()) {
        statement.execute("truncate t, c, l, u");
      }
    }
  }

  /** What a statement answers, and what is in the tables afterwards. */
  private static String outcome(Connection connection, String sql, Object... values) {
    List<String> outcome = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      if (statement.execute()) {
        outcome.addAll(rows(statement.getResultSet()));
      } else {
        outcome.add("count " + statement.getUpdateCount());
      }
    } catch (SQLException e) {
      String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      outcome.add(e.getSQLState() + " " + message.replaceAll("_[0-2](_pkey)?\"", "$1\""));
    }
    for (String table : TABLES) {
      outcome.add(table + ":");
      outcome.addAll(select(connection, table));
    }
    return String.join("\n", outcome);
  }

  /** All rows; but not the times at which they were made. */
  private static List<String> select(Connection connection, String table) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select * from " + table + " x")) {
      return rows(rows);
    } catch (SQLException e) {
      return List.of(String.valueOf(e.getSQLState()));
    }
  }

  private static List<String> rows(ResultSet result) throws SQLException {
    List<String> rows = new ArrayList<>();
    while (result.next()) {
      StringBuilder row = new StringBuilder();
      for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
        boolean time = result.getMetaData().getColumnName(i).equals("made");
        row.append(time ? "made" : result.getString(i)).append('|');
      }
      rows.add(row.toString());
    }
    Collections.sort(rows);
    return rows;
  }

  private static void same(String mode, List<String> statements) throws SQLException {
    try (Connection one = plain(mode);
        Connection several = proxy.connect(mode)) {
      for (String sql : statements) {
        assertThat(outcome(several, sql)).as(sql).isEqualTo(outcome(one, sql));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"preferQueryMode=simple", "prepareThreshold=1"})
  void movesAndMakesRowsAsOneServerDoes(String mode) throws SQLException {
    same(
        mode,
        List.of(
            "insert into t select g, 100 from generate_series(1, 300) g",
            "insert into t (v, k) select v, k + 1000 from src",
            "insert into t (k, name) select k + 2000, name from src where k in (1, 2, 5)",
            "insert into t select k + 3000, v, left(name, 5), at, m, tags, n, f, b, c from src",
            "insert into t (k, at, m, v) select id + 4000, '2024-02-29', 'sad', v from ref",
            "insert into t (k, v, name) select max(k) + 5000, count(*), null from src group by v /"
                + " 20",
            "insert into t (k, v) select 6000 + k, v from src order by k desc limit 3 offset 1",
            "with x as (select k + 7000 as k, v from src) insert into t (k, v) select k, v from x",
            "insert into t (k) with x as (select k + 8000 as k from src) select k from x where k >"
                + " 8002",
            "insert into t (k, v) (select k + 9000, v from src union select id + 9500, v from ref)",
            "insert into t (k, v) select s.k + 10000, r.v from src s join ref r on r.id = s.k",
            "insert into t (k, v) select a.k * 100 + b.v + 20000, 1 from src a join src b on a.v ="
                + " b.v",
            "insert into t (k, v) select 30000, v from src where k = 3",
            "insert into t (k, n, f) select (k + 0.5)::numeric + 40000, n, f from src where k < 4",
            "insert into t (k) select (k + 50000)::text::float8 from src",
            "insert into t select k + 60000 from src",
            "insert into t select k, v from src where false",
            "insert into c select k, v from src",
            "insert into c (b, a) select a + 100, b + 1000 from c returning *",
            "insert into c (a, b) select k, v from src on conflict (a, b) do update"
                + " set x = c.x || excluded.x returning c.a, x",
            "insert into c (a, b) select k, v from src on conflict do nothing",
            "insert into c (a, b) select k, 70000 from src",
            "insert into l select name, k from src where length(name) between 1 and 4",
            "insert into l select 'a' || k || '   ', k from src",
            "insert into l select c, k + 100 from src where k in (1, 2)",
            "insert into u select md5(k::text)::uuid, k from src",
            "insert into u select ('{' || upper(md5((k + 9)::text)) || '}')::uuid, v from src"));
  }

  /** Of VALUES each value is read for its column, which the query alone would not know. */
  @ParameterizedTest
  @ValueSource(strings = {"preferQueryMode=simple", "prepareThreshold=1"})
  void computesKeysOfValues(String mode) throws SQLException {
    same(
        mode,
        List.of(
            "insert into t (k, v, name) values (1 + 1, 2, 'two')",
            "insert into t (k, at, m, tags) values (2 * 2, '2024-02-29', 'sad', '{a,NULL}')",
            "insert into t (k, n, f, b, c) values (6.5, '1.25', 1e1, '\\x00', char 'x ' || 'y')",
            "insert into t (k, v) values (-(3 - abs(-50)), 1), (9, -2), (8 % 3, null) returning v,"
                + " k",
            "insert into t (k, name) values (100 + 1, 'a'), (102, null), (-7, 'c')",
            "insert into t (k, v) values ((select max(k) + 300 from src), (select min(v) from"
                + " ref))",
            "insert into t (k, v) values (1 + 1, 5) on conflict (k) do update set v = excluded.v",
            "insert into c values (10 + 1, 2)",
            "insert into l values ('a' || 'b  ', 1 + 1)",
            "insert into u values (md5('x')::uuid, 'v')",
            "insert into t (k) values (2147483647 + 1)",
            "insert into t (k) values (1 / 0)",
            "insert into t (k) values (null::int)",
            "insert into t (k, v) values (1 + 2, 1000)",
            "insert into t (k, v) values (generate_series(401, 409), 7)",
            "insert into t (k, v) values (max(1), 7)",
            "insert into t (k, v) values (1 + 2, 'x')",
            "insert into t (k, v) values (1 + 2)",
            "insert into t (k) values (1 + 2, 3)"));
    try (Connection connection = proxy.connect(mode)) {
      for (String sql :
          List.of(
              "insert into t (k, v) values (1 + 2, default)",
              "insert into t (k, name) values (1 + 2, 'a'), (5, char 'b ')")) {
        assertThat(outcome(connection, sql)).startsWith("0A000").contains("sharding column k");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"preferQueryMode=simple", "prepareThreshold=1"})
  void whatFailsLeavesNothing(String mode) throws SQLException {
    same(
        mode,
        List.of(
            "insert into t (k, v) select g, 990 + g from generate_series(1, 20) g",
            "insert into t (k, v) select g % 7, 1 from generate_series(1, 20) g",
            "insert into t (k, v) select k, 10 / (k - 4) from src",
            "insert into t (k) select null::int from src",
            "insert into t (k) select name from src",
            "insert into t (k, v) select k from src",
            "insert into t (k, nothing) select k, k from src",
            "insert into t (k, v) select k, 'x' from src",
            "insert into l select 'abcde' || k, 1 from src",
            "insert into c (a, b) select 1, 1 from src on conflict (a, b) do update set x ="
                + " 'twice'",
            "insert into t (k) select 9e18 * k from src",
            "insert into nowhere select k, v from src"));
  }

  @Test
  void takesParametersWhereverTheyStand() throws SQLException {
    try (Connection one = plain("prepareThreshold=1");
        Connection several = proxy.connect("prepareThreshold=1")) {
      String everywhere =
          "insert into c (a, b, x) select k + ?, ?, ? from src where v < ?"
              + " on conflict (a, b) do update set x = c.x || ? returning a, x, ?::int";
      for (Object[] values :
          List.of(
              new Object[] {100, 3, "x", 45, "again", 9},
              new Object[] {101, 3, "y", 30, "more", 8},
              new Object[] {200, 4, "z", 0, "none", 7})) {
        assertThat(outcome(several, everywhere, values))
            .isEqualTo(outcome(one, everywhere, values));
      }
      String made = "insert into t (k, at) select g, ? from generate_series(1, ?) g";
      Object[] values = {java.sql.Date.valueOf("2024-02-29"), 40};
      assertThat(outcome(several, made, values)).isEqualTo(outcome(one, made, values));
      String given = "insert into t (k, at, v) values (? + 1000, ?, ?)";
      Object[] typed = {1, java.sql.Date.valueOf("2024-02-29"), 5};
      assertThat(outcome(several, given, typed)).isEqualTo(outcome(one, given, typed));
    }
  }

  @Test
  void returnsRowsInPortions() throws SQLException {
    try (Connection connection = proxy.connect();
        PreparedStatement statement =
            connection.prepareStatement(
                "insert into t (k) select g from generate_series(1, 50) g returning k")) {
      connection.setAutoCommit(false);
      statement.setFetchSize(7);
      assertThat(rows(statement.executeQuery())).hasSize(50);
      connection.commit();
      assertThat(select(connection, "t")).hasSize(50);
    }
  }

  /** Each value once: a row that were computed twice would have two. */
  @Test
  void evaluatesTheQueryOnce() throws SQLException {
    proxy.onShards("create sequence once");
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "insert into t (k, v) select nextval('once'), 1 from generate_series(1, 100)");
      long last = 0;
      for (int shard = 0; shard < 3; shard++) {
        String used = "select case when is_called then last_value else 0 end from once";
        last += Long.parseLong(proxy.onShard(shard, used));
      }
      assertThat(last).isEqualTo(100);
      statement.execute(
          "insert into c (a, b, x) select r, 1, r::text from (select (random() * 1e6)::int as r"
              + " from generate_series(1, 20)) x on conflict do nothing");
      assertThat(rows(statement.executeQuery("select a from c where a::text <> x"))).isEmpty();
    }
  }

  @Test
  void belongsToItsTransaction() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("insert into t (k) select k from src");
      statement.execute("insert into t (k, v) select k + 10, v from t");
      assertThat(select(connection, "t")).hasSize(12);
      statement.execute("savepoint s");
      assertThatThrownBy(() -> statement.execute("insert into t (k) select k + 5 from t"))
          .isInstanceOf(SQLException.class)
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("23505");
      statement.execute("rollback to s");
      statement.execute("insert into t (k) select k + 20 from t");
      connection.commit();
      assertThat(select(connection, "t")).hasSize(24);
      statement.execute("insert into t (k) select k + 1000 from t");
      connection.rollback();
      assertThat(select(connection, "t")).hasSize(24);
    }
  }

  /** PostgreSQL's own description of the statement, and notices of the query. */
  @Test
  void holdsNoMoreThanTheLimit() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      for (String query :
          List.of(
              "select g, 1 from generate_series(1, 100000) g",
              "select a.g, 1 from generate_series(1, 100000) a(g) order by 1",
              "select s.k * 100000 + g, 1 from src s, generate_series(1, 20000) g",
              "select s.k * 100000 + g, count(*) from src s, generate_series(1, 20000) g group"
                  + " by 1")) {
        assertThatThrownBy(() -> statement.execute("insert into t (k, v) " + query))
            .as(query)
            .isInstanceOf(SQLException.class)
            .extracting(e -> ((SQLException) e).getSQLState())
            .isEqualTo("53200");
        assertThat(select(connection, "t")).isEmpty();
      }
    }
  }

  @Test
  void refusesWhatOneServerAloneUnderstands() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "insert into t (k) select k + 1 from src returning ctid",
              "insert into t (k) select k + 1 from src returning (select count(*) from ref)",
              "insert into t (v) select v from src",
              "with gone as (delete from src returning k) insert into t (k) select k + 1 from gone",
              "explain analyze insert into t (k) select k + 1 from src")) {
        assertThatThrownBy(() -> statement.execute(sql))
            .as(sql)
            .isInstanceOf(SQLException.class)
            .extracting(e -> ((SQLException) e).getSQLState())
            .isEqualTo("0A000");
      }
      statement.execute("set extra_float_digits = 0");
      assertThatThrownBy(() -> statement.execute("insert into t (k, f) select k + 1, f from src"))
          .hasMessageContaining("rounded");
      assertThat(select(connection, "t")).isEmpty();
    }
  }
}
