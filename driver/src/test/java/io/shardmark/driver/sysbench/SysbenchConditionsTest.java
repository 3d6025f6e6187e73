package io.shardmark.driver.sysbench;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.ShardedVerifier;
import io.shardmark.driver.verify.Verdict;
import io.shardmark.driver.verify.Verifier;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.RowWriter;
import io.shardmark.sql.shards.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The conditions on tables as they should be, and after each kind of damage. */
final class SysbenchConditionsTest {
  private static final int SIZE = 100;

  @SuppressWarnings("NullAway.Init") // set before each test
  private String database;

  @BeforeEach
  void create() throws SQLException {
    database = SharedPostgres.newDatabase();
    DigitGroups digits = new DigitGroups();
    SplittableRandom random = new SplittableRandom(4);
    for (int table = 1; table <= 2; table++) {
      execute(
          "CREATE TABLE sbtest%d (id int, k int NOT NULL, c char(120) NOT NULL, pad char(60) NOT NULL)"
              .formatted(table));
      StringBuilder rows = new StringBuilder("INSERT INTO sbtest" + table + " VALUES ");
      for (int id = 1; id <= SIZE; id++) {
        rows.append(id == 1 ? "" : ",")
            .append(
                "(%d, 1, '%s', '%s')"
                    .formatted(id, digits.text(random, 119), digits.text(random, 59)));
      }
      execute(rows.toString());
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = SharedPostgres.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> failed() throws Exception {
    return failed(SysbenchTest.Ids.ALL);
  }

  private List<String> failed(SysbenchTest.Ids ids) throws Exception {
    SysbenchTables tables = new SysbenchTables(2, SIZE, true, ids);
    List<ConditionResult> results =
        new Verifier(() -> SharedPostgres.connect(database), DatabaseKind.POSTGRES, 2)
            .run(new SysbenchConditions(tables))
            .results();
    List<String> failed = failed(results);
    List<ConditionResult> ofShards =
        new ShardedVerifier(
                () -> SharedPostgres.connect(database), List.of(new Shard(0, "s1", "h", 1, "d")), 2)
            .run(new SysbenchConditions(tables))
            .results();
    assertThat(failed(ofShards)).as("over shards").isEqualTo(failed);
    return failed;
  }

  private static List<String> failed(List<ConditionResult> results) {
    assertThat(results).allMatch(r -> r.verdict() == Verdict.PASS || r.verdict() == Verdict.FAIL);
    return results.stream()
        .filter(result -> result.verdict() == Verdict.FAIL)
        .map(ConditionResult::sentence)
        .toList();
  }

  @Test
  void forgiveWhatATestLeavesByItsNature() throws Exception {
    execute("DELETE FROM sbtest2 WHERE id IN (1, 7)");
    assertThat(failed(SysbenchTest.Ids.FEWER)).isEmpty();
    assertThat(failed(SysbenchTest.Ids.ALL)).hasSize(1);
    execute("UPDATE sbtest2 SET id = 101 WHERE id = 8");
    assertThat(failed(SysbenchTest.Ids.FEWER))
        .containsExactly("sbtest2 has no ids but 1 to 100 (tableSize=100)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"UPDATE sbtest2 SET id = 0 WHERE id = 101", "DELETE FROM sbtest2 WHERE id = 7"})
  void acceptOnlyLargerIdsThanThoseLoaded(String damage) throws Exception {
    execute("INSERT INTO sbtest2 SELECT 101, k, c, pad FROM sbtest2 WHERE id = 7");
    assertThat(failed(SysbenchTest.Ids.MORE)).isEmpty();
    execute(damage);
    assertThat(failed(SysbenchTest.Ids.MORE))
        .containsExactly("sbtest2 has the ids 1 to 100 and larger ones (tableSize=100)");
  }

  @Test
  void holdForTheTextsThatAreLoaded() throws Exception {
    assertThat(failed()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DELETE FROM sbtest2 WHERE id = 7 | sbtest2 has the ids 1 to 100 (tableSize=100)",
        "INSERT INTO sbtest1 SELECT * FROM sbtest1 WHERE id = 7 | sbtest1 has the ids 1 to 100"
            + " (tableSize=100)",
        "UPDATE sbtest1 SET id = 8 WHERE id = 7 | sbtest1 has the ids 1 to 100 (tableSize=100)",
        "UPDATE sbtest2 SET id = 101 WHERE id = 7 | sbtest2 has the ids 1 to 100 (tableSize=100)",
        "UPDATE sbtest1 SET c = left(c, 50) WHERE id = 7 | sbtest1: k is from 1 on",
        "UPDATE sbtest1 SET pad = translate(pad, '1', 'x') | sbtest1: k is from 1 on",
        "UPDATE sbtest2 SET k = 0 WHERE id = 7 | sbtest2: k is from 1 on"
      })
  void seeEachDamage(String damage, String condition) throws Exception {
    execute(damage);
    assertThat(failed()).hasSize(1).allMatch(sentence -> sentence.startsWith(condition));
  }

  /** Whoever loads it, in whatever order. */
  @Test
  void theRowsOfAUnitAreAlwaysTheSame() {
    DataSet data =
        SysbenchRows.of(
            new SysbenchTables(3, 120_000, true, SysbenchTest.Ids.ALL),
            random -> random.nextInt(1, 1000));
    assertThat(data.unitCount()).isEqualTo(9);
    assertThat(data.expectedRows(0, 9)).isEqualTo(360_000);
    Set<String> names = new HashSet<>();
    for (int unit = 0; unit < data.unitCount(); unit++) {
      assertThat(data.unit(unit).number()).isEqualTo(unit);
      assertThat(names.add(data.unit(unit).name())).isTrue();
    }
    assertThat(checksum(data, 5)).isEqualTo(checksum(data, 5)).isNotEqualTo(checksum(data, 4));
  }

  private static long checksum(DataSet data, int unit) {
    Checksum sum = new Checksum();
    var origin =
        new io.shardmark.loader.data.Origin(9, java.time.LocalDateTime.of(2020, 1, 1, 0, 0));
    data.rows(origin).write(data.unit(unit), data.unit(unit).tables().get(0), sum);
    return sum.value;
  }

  private static final class Checksum implements RowWriter {
    private long value;

    @Override
    public void startRow() {
      value *= 31;
    }

    @Override
    public void int32(int number) {
      value = value * 31 + number;
    }

    @Override
    public void text(byte[] ascii, int offset, int length) {
      for (int i = offset; i < offset + length; i++) {
        value = value * 31 + ascii[i];
      }
    }

    @Override
    public void decimal(long unscaled, int scale) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void timestamp(long epochMicros) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void nullValue() {
      throw new UnsupportedOperationException();
    }
  }
}
