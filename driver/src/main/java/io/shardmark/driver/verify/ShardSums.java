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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The figures that the shards have answered so far, added up by key. Used by one thread. */
final class ShardSums {
  private final Condition condition;
  private final Map<int[], BigDecimal[]> byKey = new TreeMap<>(Arrays::compare);
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
    BigDecimal[] values = new BigDecimal[labels.size()];
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

  private BigDecimal[] added(BigDecimal[] some, BigDecimal[] more) {
    for (int i = condition.keyColumns(); i < some.length; i++) {
      some[i] = some[i].add(more[i]);
    }
    return some;
  }

  ConditionResult judge(Duration duration) {
    List<BigDecimal[]> broken = byKey.values().stream().filter(this::isBroken).toList();
    List<String> samples =
        broken.stream().limit(ConditionResult.MAX_SAMPLES).map(this::text).toList();
    return ConditionResult.of(condition, broken.size(), samples, duration);
  }

  private boolean isBroken(BigDecimal[] values) {
    return condition.expected().stream()
        .anyMatch(sum -> value(sum.column(), values).compareTo(value(sum.value(), values)) != 0);
  }

  private BigDecimal value(String columnOrNumber, BigDecimal[] values) {
    int column = labels.indexOf(columnOrNumber);
    return column < 0 ? new BigDecimal(columnOrNumber) : values[column];
  }

  private String text(BigDecimal[] values) {
    return IntStream.range(0, values.length)
        .mapToObj(i -> labels.get(i) + "=" + values[i].toPlainString())
        .collect(Collectors.joining(" "));
  }
}
