package io.shardmark.proxy.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.server.RunningProxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PGobject;

/**
 * Groups, aggregates, distinct rows and windows over columns of many types: through the proxy over
 * three shards the rows, names and types of one server.
 */
final class ComputedRowsTest {
  private static final int QUERIES = 125;
  private static final int SHARDS = 3;
  private static final String COLUMNS =
      "id int8, i2 int2, i4 int4, i8 int8, n numeric, n2 numeric(10,2), f4 float4, f8 float8,"
          + " b bool, t text, v varchar(9), c char(5), d date, ts timestamp, tz timestamptz,"
          + " iv interval, u uuid, y bytea, a int4[]";
  private static final List<String> GROUPED =
      List.of("i2", "i4", "b", "t", "c", "n2", "d", "u", "f8", "tz", "iv", "y", "a", "id % 7");
  private static final List<String> SUMMED = List.of("i2", "i4", "i8", "n", "n2", "f4", "f8", "iv");
  private static final List<String> COMPARED =
      List.of("i2", "i4", "i8", "n", "n2", "f4", "f8", "t", "v", "c", "d", "ts", "tz", "iv", "a");

  @AutoClose private static RunningProxy proxy;
  @AutoClose private static RunningProxy plain;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(SHARDS, "");
    plain = RunningProxy.start(1, "");
    proxy.onShards(
        "create table w (%s) partition by hash (id);".formatted(COLUMNS)
            + "create table w_$shard partition of w for values with (modulus 3, remainder $shard)");
    plain.onShards("create table w (" + COLUMNS + ")");
    proxy.refresh();
    plain.refresh();
    Random random = new Random(7);
    List<String> rows = new ArrayList<>();
    for (int id = 0; id < 200; id++) {
      rows.add("(" + id + ", " + String.join(", ", values(random)) + ")");
    }
    for (RunningProxy each : List.of(proxy, plain)) {
      try (Connection connection = each.connect();
          Statement statement = connection.createStatement()) {
        statement.execute("insert into w values " + String.join(", ", rows));
      }
    }
  }

  /** Few values each, so that groups and equal rows are met; the sums of floats are exact. */
  private static List<String> values(Random random) {
    return List.of(
        one(random, "-32768", "-1", "0", "7", "32767"),
        one(random, "-2147483648", "-5", "0", "1", "2", "2147483647"),
        one(random, "-9223372036854775808", "0", "3", "9223372036854775807"),
        one(random, "0", "-0.001", "12345678901234567890.123456789", "1e30", "99.9990", "7e-20"),
        one(random, "-10.05", "0", "0.01", "3.5", "99999999.99"),
        one(random, "-7.25", "0", "0.5", "100.75", "8"),
        one(random, "-1e9", "0", "0.25", "123456.5"),
        one(random, "t", "f"),
        one(random, "", "a", "B", "ab", "é", "z ", "NULL", "null", "\"q\\", "it''s", "{,}"),
        one(random, "x", "y", "x y"),
        one(random, "a", "a b", "abcde", ""),
        one(random, "2024-02-29", "0044-03-15 BC", "infinity", "12345-01-01"),
        one(random, "2024-01-01 00:00:00.1", "0001-12-31 10:00 BC", "infinity"),
        one(random, "2024-06-01 12:00+02", "1900-01-01 00:00Z", "-infinity"),
        one(random, "1 day", "-1 mon 2 days 03:04:05.5"),
        one(random, "00000000-0000-0000-0000-000000000001", "ffffffff-0000-0000-0000-000000000000"),
        one(random, "\\x", "\\x00", "\\xff01"),
        one(random, "{}", "{1,NULL}", "{3}"));
  }

  private static String one(Random random, String... values) {
    int i = random.nextInt(values.length + 1);
    return i == values.length ? "null" : "'" + values[i] + "'";
  }

  private static List<String> some(List<String> from, int most, Random random) {
    List<String> shuffled = new ArrayList<>(from);
    Collections.shuffle(shuffled, random);
    return shuffled.subList(0, 1 + random.nextInt(most));
  }

  private static String one(Random random, List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static String aggregate(Random random) {
    String compared = one(random, COMPARED);
    String summed = one(random, SUMMED);
    String filter = random.nextInt(4) == 0 ? " filter (where id < 90)" : "";
    return switch (random.nextInt(16)) {
      case 0 -> "count(*)" + filter;
      case 1 -> "count(" + compared + ")" + filter;
      case 2, 3 -> "sum(" + summed + ")" + filter;
      case 4 -> "min(" + compared + ")" + filter;
      case 5 -> "max(" + compared + ")" + filter;
      case 6, 7 -> "avg(" + summed + ")" + filter;
      case 8 -> one(random, List.of("bool_and", "bool_or", "every")) + "(i4 > 1)" + filter;
      case 9 -> one(random, List.of("bit_and", "bit_or")) + "(i4)" + filter;
      case 10 -> "count(distinct " + compared + ")" + filter;
      case 11 -> "sum(distinct n2)" + filter;
      case 12 -> "string_agg(t, ',' order by t collate \"C\", id)" + filter;
      case 13 -> "array_agg(" + compared + " order by id)" + filter;
      case 14 -> "round(stddev(n2), 6)" + filter;
      default -> "percentile_disc(0.5) within group (order by i4)" + filter;
    };
  }

  private static String query(Random random) {
    String where =
        switch (random.nextInt(6)) {
          case 0 -> " where id < " + random.nextInt(60);
          case 1 -> " where false";
          default -> "";
        };
    List<String> groups = some(GROUPED, 2, random);
    if (random.nextInt(5) == 0) {
      return "select distinct " + String.join(", ", groups) + " from w" + where;
    }
    if (random.nextInt(8) == 0) {
      return "select id, count(*) over (partition by i2), rank() over (order by i4, id) as r"
          + " from w x"
          + where;
    }
    List<String> items = new ArrayList<>();
    boolean grouped = random.nextInt(4) > 0;
    if (grouped) {
      items.addAll(random.nextBoolean() ? groups : some(groups, groups.size(), random));
    }
    for (int i = random.nextInt(3); i >= 0; i--) {
      items.add(aggregate(random));
    }
    String by = grouped ? " group by " + String.join(", ", groups) : "";
    String having = random.nextInt(5) == 0 ? " having count(*) > 3" : "";
    return "select " + String.join(", ", items) + " from w" + where + by + having;
  }

  private static List<String> rows(Statement statement, String sql) {
    List<String> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery(sql)) {
      ResultSetMetaData meta = result.getMetaData();
      while (result.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
          row.append(result.getString(i)).append('|');
        }
        rows.add(row.toString());
      }
      Collections.sort(rows);
      StringBuilder head = new StringBuilder();
      for (int i = 1; i <= meta.getColumnCount(); i++) {
        head.append(meta.getColumnName(i))
            .append(' ')
            .append(meta.getColumnTypeName(i))
            .append(' ');
      }
      rows.add(0, head.toString());
    } catch (SQLException e) {
      return List.of(String.valueOf(e.getSQLState()));
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(strings = {"preferQueryMode=simple", "prepareThreshold=1&binaryTransfer=true"})
  void rowsNamesAndTypesAreThoseOfOneServer(String mode) throws SQLException {
    try (Connection one = plain.connect(mode);
        Connection several = proxy.connect(mode);
        Statement expected = one.createStatement();
        Statement actual = several.createStatement()) {
      for (int seed = 0; seed < QUERIES; seed++) {
        String sql = query(new Random(seed));
        assertThat(rows(actual, sql)).as("seed %d: %s", seed, sql).isEqualTo(rows(expected, sql));
      }
    }
  }

  /** In portions and by a cursor of SQL. */
  @Test
  void computedRowsAreFetchedInPortions() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.setFetchSize(3);
      String sql = "select id / 10 as g, count(*) from w group by 1 order by 1 desc";
      assertThat(rows(statement, sql)).hasSize(21).contains("0|10|", "19|10|");
      statement.setFetchSize(0);
      statement.execute("declare c cursor for " + sql);
      assertThat(rows(statement, "fetch 2 from c"))
          .containsExactly("g int8 count int8 ", "18|10|", "19|10|");
      assertThat(rows(statement, "fetch all from c")).hasSize(19);
    }
  }

  /** Equal by their collation, which is not that of their bytes. */
  @Test
  void textsAreGroupedByTheirCollation() throws SQLException {
    proxy.onShards(
        "create collation folding (provider = icu, locale = 'und-u-ks-level2', deterministic ="
            + " false);"
            + "create table f (k int, ci text collate folding) partition by hash (k);"
            + "create table f_$shard partition of f for values with (modulus 3, remainder $shard)");
    proxy.refresh();
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "insert into f values (1, 'a'), (2, 'A'), (3, 'b'), (4, 'a'), (5, 'B'), (6, 'A')");
      assertThat(rows(statement, "select count(*) from f group by ci order by 1"))
          .containsExactly("count int8 ", "2|", "4|");
      assertThat(rows(statement, "select count(distinct ci), count(ci collate \"C\") from f"))
          .endsWith("2|6|");
      assertThat(rows(statement, "select distinct ci from f")).hasSize(3);
      assertThat(rows(statement, "select lower(ci), count(*) from f group by 1"))
          .containsExactly("lower text count int8 ", "a|4|", "b|2|");
    }
  }

  /** Equal as numbers, though their texts are not. */
  @Test
  void equalNumbersOfUnequalTextsAreToldApart() throws SQLException {
    String table = "create table paid (k int, amount numeric)";
    proxy.onShards(
        table
            + " partition by hash (k);"
            + "create table paid_$shard partition of paid"
            + " for values with (modulus 3, remainder $shard)");
    plain.onShards(table);
    proxy.refresh();
    plain.refresh();
    try (Connection one = plain.connect();
        Connection several = proxy.connect();
        Statement expected = one.createStatement();
        Statement actual = several.createStatement()) {
      for (Statement each : List.of(expected, actual)) {
        each.execute(
            "insert into paid select k, case when k % 2 = 0 then 1.0 else 1.00 end"
                + " from generate_series(1, 40) k");
      }
      String sql = "select distinct amount, amount::text from paid";
      assertThat(rows(actual, sql))
          .containsExactly("amount numeric amount text ", "1.00|1.00|", "1.0|1.0|")
          .isEqualTo(rows(expected, sql));
      for (String other :
          List.of(
              "select distinct amount::text from paid",
              "select amount::text, count(*) from paid group by amount::text",
              "select count(distinct amount), count(distinct amount::text) from paid")) {
        assertThat(rows(actual, other)).as(other).isEqualTo(rows(expected, other));
      }
    }
  }

  @Test
  void whatTakesTooMuchMemoryIsRefused() throws SQLException {
    try (RunningProxy small = RunningProxy.start(2, "scatter_memory_limit: 64kB")) {
      small.onShards(
          "create table t (k int) partition by hash (k);create table t_$shard partition of t for"
              + " values with (modulus 2, remainder $shard);insert into t select k from"
              + " generate_series(1, 20000) k where satisfies_hash_partition('t'::regclass, 2,"
              + " $shard, k)");
      small.refresh();
      try (Connection connection = small.connect();
          Statement statement = connection.createStatement()) {
        assertThat(rows(statement, "select count(distinct k) from t")).containsExactly("53200");
        assertThat(rows(statement, "select count(*) from t")).endsWith("20000|");
      }
    }
  }

  /** In the INSERT each value has its column's type, apart from it all values of a column one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "i4 | oid | 7 | 2.5",
        "n | float8 | 1.5 | 12345678901234567",
        "t | float8 | 1.5 | 12345678901234567",
        "i8 | float8 | 3 | 9007199254740993",
        "i8 | oid | 7 | -1",
        "f4 | float8 | 1.5 | 16777217",
        "f8 | float4 | 1.5 | 16777217"
      })
  void rowsThatOneTypeWouldChangeAreRefused(String column, String type, String value, String other)
      throws SQLException {
    String sql =
        "insert into w (id, %s) values (abs(-1001), ?), (1002, %s)".formatted(column, other);
    List<String> types = List.of(type);
    assertThat(inserted(plain, sql, column, value, types)).hasSize(2);
    assertThat(inserted(proxy, sql, column, value, types)).containsExactly("0A000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n | float8 | 1.5 | ?",
        "n | float8 | 1.5 | ? /* behind it */",
        "n | float8 | 1.5 | null",
        "t | varchar | a | ?",
        "f8 | float8 | 1.5 | 9007199254740993",
        "i8 | int4 | 7 | 9007199254740993",
        "n | int8 | 9007199254740993 | 0.1 + ?",
        "t | int4 | 7 | 1.50"
      })
  void rowsThatOneTypeDoesNotChangeAreInserted(
      String column, String type, String value, String other) throws SQLException {
    String sql =
        "insert into w (id, %s) values (abs(-1001), ?), (1002, %s)".formatted(column, other);
    List<String> types = other.contains("?") ? List.of(type, type) : List.of(type);
    assertThat(inserted(proxy, sql, column, value, types))
        .hasSize(2)
        .isEqualTo(inserted(plain, sql, column, value, types));
  }

  /** The two rows' values, or the SQLSTATE; all parameters have that value. */
  private static List<String> inserted(
      RunningProxy database, String sql, String column, String value, List<String> types)
      throws SQLException {
    try (Connection connection = database.connect("prepareThreshold=1")) {
      connection.setAutoCommit(false);
      try (PreparedStatement statement = connection.prepareStatement(sql);
          PreparedStatement rows =
              connection.prepareStatement(
                  "select " + column + "::text from w where id in (1001, 1002) order by id")) {
        for (int i = 0; i < types.size(); i++) {
          PGobject parameter = new PGobject();
          parameter.setType(types.get(i));
          parameter.setValue(value);
          statement.setObject(i + 1, parameter);
        }
        statement.executeUpdate();
        List<String> values = new ArrayList<>();
        try (ResultSet row = rows.executeQuery()) {
          while (row.next()) {
            values.add(String.valueOf(row.getString(1)));
          }
        }
        return values;
      } catch (SQLException e) {
        return List.of(String.valueOf(e.getSQLState()));
      } finally {
        connection.rollback();
      }
    }
  }
}
