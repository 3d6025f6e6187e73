package io.shardmark.driver.verify;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A rule over figures that add up over shards: for one server a statement that returns the figures
 * which break it, for several the same figures of each, added.
 *
 * @param keyColumns how many columns of {@code sql} are the key, integers; 0 for one row
 * @param sql the key, then the figures: first those that are expected, then any that explain them
 * @param expected names and values of the first figures
 */
public record SumCondition(
    String clause,
    String sentence,
    int keyColumns,
    String sql,
    List<ExpectedSum> expected,
    int weight) {

  /** A figure's column and what its sum must be. */
  public record ExpectedSum(String column, BigDecimal value) {
    /** Expects a whole number. */
    public static ExpectedSum of(String column, long value) {
      return new ExpectedSum(column, BigDecimal.valueOf(value));
    }
  }

  public SumCondition {
    expected = List.copyOf(expected);
  }

  /**
   * A table has the ids 1 to a count.
   *
   * @param id the column
   * @param why so many, as the user's keys say it
   */
  public static SumCondition ids(
      String clause, String table, String id, long count, String why, int weight) {
    return new SumCondition(
        clause,
        "%s has the ids 1 to %d (%s)".formatted(table, count, why),
        0,
        """
        SELECT count(*) AS found,
               count(*) FILTER (WHERE %1$s BETWEEN 1 AND %3$d) AS expected_ids,
               coalesce(sum(%1$s::bigint), 0) AS sum_of_ids
          FROM %2$s
        """
            .formatted(id, table, count),
        List.of(
            ExpectedSum.of("found", count),
            ExpectedSum.of("expected_ids", count),
            ExpectedSum.of("sum_of_ids", count * (count + 1) / 2)),
        weight);
  }

  /** For one server. */
  public Condition onOneServer() {
    String broken =
        expected.stream()
            .map(f -> "%s IS DISTINCT FROM %s".formatted(f.column(), f.value().toPlainString()))
            .collect(Collectors.joining(" OR "));
    return Condition.overDatabase(
        clause,
        sentence,
        weight,
        Math.max(1, keyColumns),
        "SELECT * FROM (" + sql + ") figures WHERE " + broken);
  }

  /** For several shards. */
  public CrossShardCondition overShards() {
    return new CrossShardCondition(
        clause,
        sentence,
        sql,
        keyColumns,
        figures -> {
          for (int i = 0; i < expected.size(); i++) {
            if (figures[i].compareTo(expected.get(i).value()) != 0) {
              return true;
            }
          }
          return false;
        });
  }
}
