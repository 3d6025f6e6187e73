package io.shardmark.proxy.merge;

import io.shardmark.proxy.protocol.RowField;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** ORDER BY over rows whose keys are read once. */
final class RowOrder implements Comparator<RowOrder.Keyed> {
  private final OrderItem[] items;
  private final int[] columns;
  private final ValueKey[] keys;

  /** A row with the values it is ordered by. */
  static final class Keyed {
    private final Row row;
    private final @Nullable Comparable<?>[] values;

    private Keyed(Row row, @Nullable Comparable<?>[] values) {
      this.row = row;
      this.values = values;
    }

    Row row() {
      return row;
    }
  }

  RowOrder(List<RowField> description, List<OrderItem> order, boolean rounded) {
    items = order.toArray(new OrderItem[0]);
    columns = new int[items.length];
    keys = new ValueKey[items.length];
    for (int i = 0; i < items.length; i++) {
      int column = items[i].column();
      columns[i] = column < 0 ? description.size() + column : column;
      keys[i] = ValueKey.forOrder(description.get(columns[i]), items[i].byteOrdered(), rounded);
    }
  }

  boolean isEmpty() {
    return items.length == 0;
  }

  Keyed keyed(Row row) {
    @Nullable Comparable<?>[] values = new Comparable<?>[items.length];
    for (int i = 0; i < items.length; i++) {
      byte[] value = row.value(columns[i]);
      values[i] = value == null ? null : keys[i].of(value);
    }
    return new Keyed(row, values);
  }

  @Override
  public int compare(Keyed left, Keyed right) {
    for (int i = 0; i < items.length; i++) {
      int order = compare(items[i], left.values[i], right.values[i]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int compare(
      OrderItem item, @Nullable Comparable<?> left, @Nullable Comparable<?> right) {
    if (left == null || right == null) {
      int nullsLast = Boolean.compare(left == null, right == null);
      return item.nullsFirst() ? -nullsLast : nullsLast;
    }
    int order = ValueKey.compare(left, right);
    return item.descending() ? -order : order;
  }
}
