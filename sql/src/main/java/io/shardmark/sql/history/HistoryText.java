package io.shardmark.sql.history;

import io.shardmark.sql.history.HistoryTransaction.Append;
import io.shardmark.sql.history.HistoryTransaction.Read;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes an anomaly with the statements of its transactions. */
public final class HistoryText {
  /** Of a list the last values decide. */
  private static final int MOST_VALUES = 8;

  private HistoryText() {}

  /**
   * What was seen, then each transaction: {@code T3: append 7 to list 1, read list 2 = [5],
   * committed}.
   */
  public static String of(Anomaly anomaly, List<HistoryTransaction> history) {
    Map<Integer, HistoryTransaction> involved = new TreeMap<>();
    for (HistoryTransaction one : history) {
      if (anomaly.transactions().contains(one.number())) {
        involved.put(one.number(), one);
      }
    }
    return anomaly.detail()
        + " ["
        + involved.values().stream().map(HistoryText::of).collect(Collectors.joining("; "))
        + "]";
  }

  private static String of(HistoryTransaction one) {
    return "T%d: %s%s"
        .formatted(
            one.number(),
            one.statements().stream()
                .limit(MOST_VALUES)
                .map(statement -> of(statement) + ", ")
                .collect(Collectors.joining()),
            one.ending().name().toLowerCase(Locale.ROOT));
  }

  private static String of(HistoryTransaction.HistoryStatement statement) {
    if (statement instanceof Append append) {
      return "append %d to list %d".formatted(append.value(), append.list());
    }
    return ((Read) statement)
        .lists().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .limit(MOST_VALUES)
            .map(list -> "list %d = %s".formatted(list.getKey(), end(list.getValue())))
            .collect(Collectors.joining(" and ", "read ", ""));
  }

  private static String end(List<Integer> values) {
    return values.size() <= MOST_VALUES
        ? values.toString()
        : values
            .subList(values.size() - MOST_VALUES, values.size())
            .toString()
            .replaceFirst("\\[", "[... ");
  }
}
