package io.shardmark.driver.verify;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A rule over rows that lie on several shards: each shard gives sums by key, and the rule holds for
 * the sums of all of them.
 *
 * @param sql gives key columns (integers), then figures that can be added up; PostgreSQL's
 * @param keyColumns how many columns the key has; 0 for one row over everything
 * @param isBroken whether the added figures of a key break the rule
 */
public record CrossShardCondition(
    String clause, String sentence, String sql, int keyColumns, Predicate<BigDecimal[]> isBroken) {

  /** As {@link Condition#name}. */
  String name() {
    return clause + " " + sentence;
  }

  /** What the shards have answered so far. Used by one thread. */
  static final class Sums {
    private final CrossShardCondition condition;
    private final Map<int[], BigDecimal[]> byKey = new TreeMap<>(Arrays::compare);
    private List<String> labels = List.of();

    Sums(CrossShardCondition condition) {
      this.condition = condition;
    }

    /** Adds one shard's answer, and closes it. */
    void add(ResultSet answer) throws SQLException {
      try (answer) {
        ResultSetMetaData columns = answer.getMetaData();
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          names.add(columns.getColumnLabel(i));
        }
        labels = names;
        while (answer.next()) {
          addRow(answer, names.size());
        }
      }
    }

    private void addRow(ResultSet row, int columns) throws SQLException {
      int[] key = new int[condition.keyColumns];
      for (int i = 0; i < key.length; i++) {
        key[i] = row.getInt(i + 1);
      }
      BigDecimal[] figures = new BigDecimal[columns - key.length];
      for (int i = 0; i < figures.length; i++) {
        figures[i] = row.getBigDecimal(key.length + i + 1);
      }
      byKey.merge(key, figures, Sums::added);
    }

    private static BigDecimal[] added(BigDecimal[] some, BigDecimal[] more) {
      Arrays.setAll(some, i -> some[i].add(more[i]));
      return some;
    }

    ConditionResult judge(Duration duration) {
      long offenders = 0;
      List<String> samples = new ArrayList<>();
      for (Map.Entry<int[], BigDecimal[]> entry : byKey.entrySet()) {
        if (condition.isBroken.test(entry.getValue())) {
          offenders++;
          if (samples.size() < ConditionResult.MAX_SAMPLES) {
            samples.add(text(entry.getKey(), entry.getValue()));
          }
        }
      }
      return new ConditionResult(
          condition.clause,
          condition.sentence,
          offenders == 0 ? Verdict.PASS : Verdict.FAIL,
          "",
          offenders,
          samples,
          duration);
    }

    private String text(int[] key, BigDecimal[] figures) {
      List<String> pairs = new ArrayList<>();
      for (int i = 0; i < labels.size(); i++) {
        Object value = i < key.length ? key[i] : figures[i - key.length].toPlainString();
        pairs.add(labels.get(i) + "=" + value);
      }
      return String.join(" ", pairs);
    }
  }
}
