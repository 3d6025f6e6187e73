package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PGobject;

/** Values of sharding columns, written in every way that PostgreSQL reads, against one server. */
final class RouteOfValuesTest {
  /** Above 2^53 neighbours are equal as floating-point numbers; above 2^32 there is no oid. */
  private static final long FIRST_OF_NEIGHBOURS = 9007199254740992L;

  private static final int NEIGHBOURS = 2;
  private static final int KEYS = 60;

  private static final String TABLES =
      """
      create table t (k bigint primary key, v int) %1$s;
      create table small (k int primary key, v int) %1$s;
      create table texts (k text primary key, v int) %1$s;
      create table named (k int primary key, v int);
      """;

  @AutoClose private static RunningProxy proxy;
  private static String plainUrl;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(3, "pool_size: 4", "sharding: {named: k}");
    plainUrl = RunningProxy.plainDatabase();
    try (Connection plain = RunningProxy.open(plainUrl);
        Statement statement = plain.createStatement()) {
      statement.execute(TABLES.formatted(""));
    }
    proxy.onShards(TABLES.formatted("partition by hash (k)"));
    for (String table : List.of("t", "small", "texts")) {
      proxy.onShards(
          "create table %1$s_$shard partition of %1$s for values with (modulus 3, remainder $shard)"
              .formatted(table));
    }
    proxy.refresh();
    StringBuilder rows = new StringBuilder("insert into t values (-1, 1)");
    StringBuilder few = new StringBuilder("insert into small values (-1, 1)");
    StringBuilder texts = new StringBuilder("insert into texts values ('', 1)");
    for (int k = 0; k < KEYS; k++) {
      rows.append(", (%d, %d)".formatted(k, k));
      few.append(", (%d, %d)".formatted(k, k));
      texts.append(", ('%d', %d)".formatted(k, k));
    }
    for (int i = 0; i < NEIGHBOURS; i++) {
      rows.append(", (%d, %d)".formatted(FIRST_OF_NEIGHBOURS + i, i));
      few.append(", (%d, %d)".formatted(16777216 + i, i));
      texts.append(", ('%s', %d)".formatted("n".repeat(60) + "%04d".formatted(i), i));
    }
    for (Connection connection : List.of(RunningProxy.open(plainUrl), proxy.connect())) {
      try (connection;
          Statement statement = connection.createStatement()) {
        statement.execute(rows.toString());
        statement.execute(few.toString());
        statement.execute(texts.toString());
      }
    }
  }

  private record Value(String type, @Nullable String text) {}

  /** Rows in text, or the SQLSTATE. */
  private static List<String> answer(Connection connection, String sql, Value... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        PGobject object = new PGobject();
        object.setType(values[i].type());
        object.setValue(values[i].text());
        statement.setObject(i + 1, object);
      }
      List<String> rows = new ArrayList<>();
      if (statement.execute()) {
        try (ResultSet result = statement.getResultSet()) {
          while (result.next()) {
            rows.add(result.getString(1));
          }
        }
      }
      return rows;
    } catch (SQLException e) {
      return List.of(e.getSQLState());
    }
  }

  /** As one server; never refused. */
  private static void assertSame(Connection plain, Connection sharded, String sql, Value... values)
      throws SQLException {
    assertThat(answer(sharded, sql, values))
        .as("%s with %s", sql, List.of(values))
        .isEqualTo(answer(plain, sql, values));
  }

  /** What stands beside a NULL decides, with the plan of a text that differs in literals only. */
  @Test
  void nullBesideAKeyIsNoKey() throws SQLException {
    for (String mode : List.of("simple", "extendedForPrepared", "extended")) {
      try (Connection plain = RunningProxy.open(plainUrl);
          Connection sharded = proxy.connect("preferQueryMode=" + mode)) {
        for (int k = 0; k < KEYS; k++) {
          for (String where :
              List.of(
                  "k in (%d, null)",
                  "k in (null, %d)",
                  "k = any (array[%d, null])",
                  "k = %d or k = null",
                  "k in (%d, null, null::bigint)")) {
            assertSame(plain, sharded, "select k from t where " + where.formatted(k));
            assertSame(plain, sharded, "select count(*) from t where " + where.formatted(k));
          }
        }
      }
    }
  }

  @Test
  void parametersMayBeNullBesideAKey() throws SQLException {
    try (Connection plain = RunningProxy.open(plainUrl);
        Connection sharded = proxy.connect()) {
      for (int k = 0; k < KEYS; k++) {
        Value key = new Value("int8", Integer.toString(k));
        Value none = new Value("int8", null);
        assertSame(plain, sharded, "select k from t where k in (?, ?)", key, none);
        assertSame(plain, sharded, "select v from t where k in (?, ?)", none, key);
        assertSame(plain, sharded, "select v from t where k = ?", none);
      }
    }
  }

  /** As many blanks and zeros as there may be, in front and behind. */
  @Test
  void aKeyIsReadToItsEnd() throws SQLException {
    List<String> texts =
        List.of(
            " ".repeat(60) + "12345",
            " ".repeat(64) + "17",
            " ".repeat(200) + "18" + " ".repeat(200),
            "0".repeat(70) + "19",
            "\u000b\t\n\r\f20\u000b",
            "+21",
            "-" + "0".repeat(30),
            " ".repeat(63) + "2x",
            " ".repeat(64) + "x",
            " ".repeat(64),
            "9223372036854775808",
            "- 5");
    try (Connection plain = RunningProxy.open(plainUrl);
        Connection sharded = proxy.connect()) {
      for (String text : texts) {
        Value value = new Value("unknown", text);
        assertSame(plain, sharded, "select k from t where k = ?", value);
        assertSame(plain, sharded, "select k from t where k = any (array[?]::bigint[])", value);
        assertSame(plain, sharded, "select k from t where k = '" + text + "'");
        assertSame(plain, sharded, "insert into named values (?, 1) returning k", value);
        assertSame(plain, sharded, "select v from named where k = ?", value);
        assertSame(plain, sharded, "delete from named where k = ? returning k", value);
        assertSame(plain, sharded, "insert into named values ('" + text + "', 1) returning k");
        assertSame(plain, sharded, "delete from named where k = '" + text + "' returning k");
        assertSame(plain, sharded, "select count(*) from named");
      }
    }
  }

  /** What the proxy does not read a server may: to find rows it asks all shards. */
  @Test
  void notationsOfNewerServersFindRowsAndAreNotStored() throws SQLException {
    try (Connection plain = RunningProxy.open(plainUrl);
        Connection sharded = proxy.connect()) {
      for (String text : List.of("0x1F", "0o17", "-0b1", "1_0")) {
        Value value = new Value("unknown", text);
        assertSame(plain, sharded, "select k from t where k = ?", value);
        assertSame(plain, sharded, "select k from t where k = '" + text + "'");
        assertThat(answer(sharded, "insert into named values (?, 1)", value))
            .containsExactly("0A000");
      }
    }
  }

  /** The comparison is that of both types, which may not be the key type's. */
  @ParameterizedTest
  @CsvSource({
    "t, int2, 5",
    "t, int4, 5",
    "t, int8, 9007199254740993",
    "t, oid, 5",
    "t, oid, 6",
    "t, oid, 7",
    "t, oid, 8",
    "t, oid, 9",
    "t, oid, 4294967295",
    "t, regclass, 5",
    "t, float4, 5",
    "t, float8, 5",
    "t, float8, 9007199254740992",
    "t, float8, 9007199254740993",
    "t, float4, 9007199254740992",
    "t, numeric, 5",
    "t, numeric, 5.0",
    "t, numeric, 9007199254740993",
    "t, numeric, 5.5",
    "t, text, 5",
    "t, bool, t",
    "t, money, 5",
    "t, xid, 5",
    "t, xid8, 5",
    "t, uuid, 00000000-0000-0000-0000-000000000005",
    "small, int2, 5",
    "small, int8, 16777217",
    "small, oid, 5",
    "small, float4, 16777216",
    "small, float4, 16777217",
    "small, float8, 16777217",
    "small, numeric, 5.0",
    "small, varchar, 5",
    "texts, text, 5",
    "texts, varchar, 5",
    "texts, bpchar, '5   '",
    "texts, name, 5",
    "texts, name, nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn0001and",
    "texts, int4, 5",
    "texts, \"char\", 5",
    "texts, json, 5"
  })
  void aKeyOfAnotherTypeIsComparedAsPostgresDoes(String table, String type, String text)
      throws SQLException {
    String literal = type.equals("unknown") ? "'" + text + "'" : "'" + text + "'::" + type;
    for (String mode : List.of("simple", "extended", "extended&prepareThreshold=1")) {
      try (Connection plain = RunningProxy.open(plainUrl);
          Connection sharded = proxy.connect("preferQueryMode=" + mode)) {
        for (int i = 0; i < 3; i++) {
          for (String where : List.of("k = %s", "%s = k", "k in (%s, %s)", "k = any (array[%s])")) {
            String sql = "select k from " + table + " where " + where + " order by k";
            assertSame(plain, sharded, sql.replace("%s", literal));
            if (!mode.equals("simple")) {
              Value value = new Value(type, text);
              Value[] values = {value, value};
              assertSame(
                  plain,
                  sharded,
                  sql.replace("%s", "?"),
                  where.contains(", ") ? values : new Value[] {value});
            }
          }
        }
      }
    }
  }

  private static final List<String> FAIL_IF_COMPUTED =
      List.of(
          "select v, sum(9223372036854775807::bigint * (v + 2)) from t group by v",
          "select v / (v - v) from t order by 1",
          "select v, sum(1 / (v - v)) + 1 from t group by v");

  @Test
  void aLimitOfNoRowsComputesNothing() throws SQLException {
    try (Connection plain = RunningProxy.open(plainUrl);
        Connection sharded = proxy.connect("preferQueryMode=simple")) {
      for (String sql : FAIL_IF_COMPUTED) {
        assertSame(plain, sharded, sql + " limit 0");
        assertSame(plain, sharded, sql + " limit 0 offset 1");
        assertSame(plain, sharded, sql + " offset 3 limit 0");
        assertSame(plain, sharded, sql + " limit 1 offset 0");
        assertSame(plain, sharded, sql + " offset 3");
      }
    }
  }

  @Test
  void aLimitOfNoRowsMayBeAParameter() throws SQLException {
    Value none = new Value("int8", "0");
    try (Connection plain = RunningProxy.open(plainUrl);
        Connection sharded = proxy.connect()) {
      for (String sql : FAIL_IF_COMPUTED) {
        Value one = new Value("int8", "1");
        assertSame(plain, sharded, sql + " limit ?", none);
        assertSame(plain, sharded, sql + " limit ? offset ?", none, one);
        assertSame(plain, sharded, sql + " limit ? offset 1", none);
        assertSame(plain, sharded, sql + " limit 0 offset ?", one);
      }
      String right = "select k from t order by k";
      for (String rows : List.of("0", "1", "5", "-1")) {
        Value value = new Value("int8", rows);
        assertSame(plain, sharded, right + " limit ? offset ?", value, value);
        assertSame(plain, sharded, right + " limit 0 offset ?", value);
        assertSame(plain, sharded, "select count(*) from t limit ? offset ?", value, value);
      }
    }
  }
}
