package io.shardmark.driver.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.verify.Condition.ExpectedSum;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rule of sums with a figure that is NULL: on one server, and over two shards. */
final class NullFiguresTest {
  private static final String URL = "jdbc:h2:mem:;DATABASE_TO_LOWER=TRUE";

  private static Condition rule(String figures) {
    String row = figures.replace("null", "cast(null as int)");
    return Condition.ofSums(
        "1",
        "what is paid is what is owed, of one row",
        1,
        1,
        "SELECT * FROM (VALUES (7, %s)) AS f (id, paid, owed, found)".formatted(row),
        new ExpectedSum("paid", "owed"),
        ExpectedSum.of("found", 1));
  }

  private static String text(String figures) {
    return "id=7 paid=%s owed=%s found=%s".formatted((Object[]) figures.split(", ", -1));
  }

  private static ConditionResult ofOneServer(Condition rule) throws SQLException {
    try (Connection connection = DriverManager.getConnection(URL)) {
      return new ConditionCheck(DatabaseKind.POSTGRES, LoadState.AS_LOADED).run(rule, connection);
    }
  }

  private static ConditionResult ofShards(Condition one, Condition other) throws SQLException {
    ShardSums sums = new ShardSums(one);
    try (Connection connection = DriverManager.getConnection(URL)) {
      sums.add(connection.createStatement().executeQuery(one.shardSql()));
      sums.add(connection.createStatement().executeQuery(other.shardSql()));
    }
    return sums.judge(Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null, 5, 1", "5, null, 1", "null, null, 1", "5, 5, null"})
  void aFigureThatIsNullBreaksTheRule(String figures) throws SQLException {
    Condition rule = rule(figures);
    Condition nothing = rule("0, 0, 0");

    assertThat(ofOneServer(rule).verdict()).isEqualTo(Verdict.FAIL);
    assertThat(ofOneServer(rule).samples()).containsExactly(text(figures));
    assertThat(ofShards(rule, nothing).samples()).containsExactly(text(figures));
    assertThat(ofShards(nothing, rule).samples()).containsExactly(text(figures));
  }

  @ParameterizedTest
  @ValueSource(strings = {"5, 5, 1", "0, 0, 1"})
  void equalFiguresKeepIt(String figures) throws SQLException {
    assertThat(ofOneServer(rule(figures)).verdict()).isEqualTo(Verdict.PASS);
    assertThat(ofShards(rule(figures), rule("0, 0, 0")).verdict()).isEqualTo(Verdict.PASS);
  }
}
