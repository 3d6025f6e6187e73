package io.shardmark.proxy.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.server.RunningProxy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Merged answers of parts of a table must be, byte by byte, the server's own over the whole. */
final class MergeOracleTest {
  private static final int QUERIES = 600;
  private static final int SHARDS = 3;
  private static final long MEMORY = 1 << 20;

  private static @Nullable Connection connection;

  @BeforeAll
  static void start() throws SQLException {
    connection = RunningProxy.open(RunningProxy.plainDatabase() + "?preferQueryMode=simple");
    execute(
        """
        create table whole (id int8, shard int, i2 int2, i4 int4, i8 int8, o oid, n numeric,
          n2 numeric(10,2), f4 float4, f8 float8, b bool, t text, v varchar(9), c char(5), nm name,
          d date, tm time, ts timestamp, tz timestamptz, u uuid, y bytea)""");
    execute("set timezone to 'Asia/Kathmandu'");
    fill();
    for (int i = 0; i < SHARDS; i++) {
      execute("create table part" + i + " as select * from whole where shard = " + i);
    }
  }

  @AfterAll
  static void stop() throws SQLException {
    if (connection != null) {
      connection.close();
    }
  }

  private static void execute(String sql) throws SQLException {
    try (Statement statement = Objects.requireNonNull(connection).createStatement()) {
      statement.execute(sql);
    }
  }

  private static String one(Random random, String... values) {
    int i = random.nextInt(values.length + 1);
    return i == values.length ? "null" : "'" + values[i] + "'";
  }

  /** Few values each, so that groups and equal rows are met; the sums of floats are exact. */
  private static void fill() throws SQLException {
    Random random = new Random(7);
    for (int id = 0; id < 240; id++) {
      List<String> row = new ArrayList<>();
      row.add(String.valueOf(id));
      row.add(String.valueOf(random.nextInt(SHARDS)));
      row.add(one(random, "-32768", "-1", "0", "7", "32767"));
      row.add(one(random, "-2147483648", "-5", "0", "1", "2", "2147483647"));
      row.add(one(random, "-9223372036854775808", "0", "3", "9223372036854775807"));
      row.add(one(random, "0", "5", "4294967295", "2147483648"));
      row.add(numeric(random));
      row.add(one(random, "-10.05", "0", "0.01", "3.5", "99999999.99"));
      row.add(one(random, "-7.25", "0", "0.5", "100.75", random.nextInt(9) == 0 ? "NaN" : "8"));
      row.add(one(random, "-1e9", "0", "0.25", "123456.5", infinite(random)));
      row.add(one(random, "t", "f"));
      row.add(one(random, "", "a", "B", "ab", "é", "z ", "\uD83D\uDE00", "\uFFFD"));
      row.add(one(random, "x", "y", "x y"));
      row.add(one(random, "a", "a b", "abcde", ""));
      row.add(one(random, "one", "two"));
      row.add(one(random, "2024-02-29", "0044-03-15 BC", "infinity", "12345-01-01", "-infinity"));
      row.add(one(random, "00:00", "23:59:59.999999", "24:00", "12:30:00.5"));
      row.add(
          one(random, "2024-01-01 00:00:00.1", "0001-12-31 10:00 BC", "infinity", "294276-12-31"));
      row.add(
          one(
              random,
              "2024-06-01 12:00+02",
              "1900-01-01 00:00Z",
              "0002-01-01 00:00Z BC",
              "-infinity"));
      row.add(
          one(
              random,
              "00000000-0000-0000-0000-000000000001",
              "ffffffff-0000-0000-0000-000000000000"));
      row.add(one(random, "\\x", "\\x00", "\\xff01"));
      execute("insert into whole values (" + String.join(", ", row) + ")");
    }
  }

  private static String numeric(Random random) {
    return one(
        random,
        "0",
        "-0.001",
        "12345678901234567890.123456789",
        "1e30",
        "99.9990",
        "-100000",
        "0.00000000000000000007",
        random.nextInt(40) == 0 ? "NaN" : "10000",
        random.nextInt(40) == 0 ? "Infinity" : "9999");
  }

  private static String infinite(Random random) {
    return random.nextInt(12) == 0 ? "-Infinity" : "0.125";
  }

  @ParameterizedTest
  @EnumSource(Answer.Format.class)
  void mergedAnswersAreTheServersOwn(Answer.Format format) throws SQLException, IOException {
    Connection server = Objects.requireNonNull(connection);
    int rows = 0;
    for (int seed = 0; seed < QUERIES; seed++) {
      Random random = new Random(seed);
      RandomQuery query = RandomQuery.of(random);
      Answer whole = Answer.of(server, query.asked().replace("%s", "whole"), format);
      List<Answer> parts = new ArrayList<>();
      int shards = 1 + random.nextInt(SHARDS);
      for (int i = 0; i < SHARDS; i++) {
        if (shards == 1) {
          parts.add(Answer.of(server, query.sharded().replace("%s", "whole"), format));
          break;
        }
        parts.add(Answer.of(server, query.sharded().replace("%s", "part" + i), format));
      }
      List<String> merged =
          shown(Answer.merge(query.spec(), parts, random, MEMORY), format, query.ordered());
      assertThat(merged)
          .as("seed %d: %s", seed, query.asked())
          .isEqualTo(shown(whole.rows(), format, query.ordered()));
      assertThat(query.spec().visibleColumns(parts.get(0).columns().size()))
          .isEqualTo(whole.columns().size());
      rows += merged.size();
    }
    assertThat(rows).as("rows compared").isGreaterThan(QUERIES * 5);
  }

  private static List<String> shown(List<byte[]> rows, Answer.Format format, boolean ordered) {
    List<String> shown = new ArrayList<>();
    rows.forEach(row -> shown.add(Answer.shown(row, format)));
    if (!ordered) {
      shown.sort(null);
    }
    return shown;
  }
}
