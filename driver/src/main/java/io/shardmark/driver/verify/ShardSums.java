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
import org.jspecify.annotations.Nullable;

/**
 * The figures that the shards have answered so far, added up by key; with a NULL the sum is NULL
 * too. Used by one thread.
 */
final class ShardSums {
  private final Condition condition;
  private final Map<int[], @Nullable BigDecimal[]> byKey = new TreeMap<>(Arrays::compare);
  private List<String> labels = List.of();

  ShardSums(Condition condition) {
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
        addRow(answer);
      }
    }
  }

  private void addRow(ResultSet row) throws SQLException {
    int[] key = new int[condition.keyColumns()];
    @Nullable BigDecimal[] values = new BigDecimal[labels.size()];
    for (int i = 0; i < values.length; i++) {
      if (i < key.length) {
        key[i] = row.getInt(i + 1);
        values[i] = BigDecimal.valueOf(key[i]);
      } else {
        values[i] = row.getBigDecimal(i + 1);
      }
    }
    byKey.merge(key, values, this::added);
  }

  private @Nullable BigDecimal[] added(@Nullable BigDecimal[] some, @Nullable BigDecimal[] more) {
    for (int i = condition.keyColumns(); i < some.length; i++) {
      BigDecimal one = some[i];
      BigDecimal other = more[i];
      some[i] = one == null || other == null ? null : one.add(other);
    }
    return some;
  }

  ConditionResult judge(Duration duration) {
    List<@Nullable BigDecimal[]> broken = byKey.values().stream().filter(this::isBroken).toList();
    List<String> samples =
        broken.stream().limit(ConditionResult.MAX_SAMPLES).map(this::text).toList();
    return ConditionResult.of(condition, broken.size(), samples, duration);
  }

  private boolean isBroken(@Nullable BigDecimal[] values) {
    return condition.expected().stream()
        .anyMatch(sum -> !isEqual(value(sum.column(), values), value(sum.value(), values)));
  }

  private static boolean isEqual(@Nullable BigDecimal one, @Nullable BigDecimal other) {
    return one != null && other != null && one.compareTo(other) == 0;
  }

  private @Nullable BigDecimal value(String columnOrNumber, @Nullable BigDecimal[] values) {
    int column = labels.indexOf(columnOrNumber);
    return column < 0 ? new BigDecimal(columnOrNumber) : values[column];
  }

  private String text(@Nullable BigDecimal[] values) {
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      BigDecimal value = values[i];
      pairs.add(labels.get(i) + "=" + (value == null ? "null" : value.toPlainString()));
    }
    return String.join(" ", pairs);
  }
}
