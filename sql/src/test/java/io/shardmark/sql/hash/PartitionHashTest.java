package io.shardmark.sql.hash;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.sql.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PartitionHashTest {
  private static Connection connection;

  @BeforeAll
  static void connect() throws SQLException {
    connection = TestPostgres.open(TestPostgres.newDatabase());
  }

  @AfterAll
  static void disconnect() throws SQLException {
    connection.close();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 5968994663651403477",
    "2, -6784076462669891433",
    "3, -6526785837914879018",
  })
  void hashesAsPostgresDoes(int key, long expected) {
    assertThat(PartitionHash.hashInt4Extended(key, PartitionHash.SEED)).isEqualTo(expected);
    assertThat(PartitionHash.hashInt8Extended(key, PartitionHash.SEED)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 0 0 1 1 1 1 1 1 1 1 1 0 0 0 1 0",
    "3, 2 0 1 0 2 0 1 0 2 1 2 2 1 1 0 0",
    "4, 0 2 1 3 1 3 3 1 1 3 1 0 2 0 3 0",
    "8, 0 2 1 3 5 3 7 5 5 7 1 4 6 0 3 0",
  })
  void placesTheFirstSixteenWarehouses(int modulus, String expected) {
    assertThat(
            IntStream.rangeClosed(1, 16)
                .mapToObj(id -> PartitionHash.remainder(PartitionHash.ofKey(id), modulus))
                .map(String::valueOf)
                .collect(Collectors.joining(" ")))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"integer", "bigint"})
  void agreesWithTheServersFunctionForEachType(String type) throws SQLException {
    boolean big = type.equals("bigint");
    String function = big ? "hashint8extended" : "hashint4extended";
    try (PreparedStatement statement =
        connection.prepareStatement("select " + function + "(?::" + type + ", ?)")) {
      for (long key : keys(big)) {
        for (long seed : new long[] {0, 1, -1, PartitionHash.SEED}) {
          statement.setLong(1, key);
          statement.setLong(2, seed);
          try (ResultSet row = statement.executeQuery()) {
            row.next();
            assertThat(
                    big
                        ? PartitionHash.hashInt8Extended(key, seed)
                        : PartitionHash.hashInt4Extended((int) key, seed))
                .as("%s(%d, %d)", function, key, seed)
                .isEqualTo(row.getLong(1));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"integer, 2", "integer, 6", "bigint, 7", "bigint, 1000"})
  void satisfiesTheServersPartitionCheck(String type, int modulus) throws SQLException {
    String table = "part_" + type + modulus;
    execute("create table " + table + " (k " + type + ") partition by hash (k)");
    for (long key : keys(type.equals("bigint"))) {
      int remainder = PartitionHash.remainder(PartitionHash.ofKey(key), modulus);
      assertThat(satisfied(table, modulus, remainder, "(" + key + ")::" + type))
          .as("%d", key)
          .isTrue();
      int other = (remainder + 1) % modulus;
      assertThat(satisfied(table, modulus, other, "(" + key + ")::" + type))
          .as("%d", key)
          .isFalse();
    }
  }

  private static boolean satisfied(String table, int modulus, int remainder, String arguments)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select satisfies_hash_partition('%s'::regclass, %d, %d, %s)"
                    .formatted(table, modulus, remainder, arguments))) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private static void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long[] keys(boolean big) {
    SplittableRandom random = new SplittableRandom(2026);
    LongStream edges =
        big
            ? LongStream.of(Long.MIN_VALUE + 1, Long.MAX_VALUE, 1L << 32, -1L << 32, (1L << 31))
            : LongStream.of(Integer.MIN_VALUE + 1, Integer.MAX_VALUE);
    LongStream drawn = random.longs(100).map(key -> big ? key : (int) key);
    return LongStream.concat(LongStream.rangeClosed(-20, 40), LongStream.concat(edges, drawn))
        .toArray();
  }
}
