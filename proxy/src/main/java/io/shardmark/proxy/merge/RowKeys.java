package io.shardmark.proxy.merge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What makes two rows equal: some columns' values, compared by type. */
final class RowKeys {
  private final int[] columns;
  private final ValueKey[] keys;

  private RowKeys(int[] columns, ValueKey[] keys) {
    this.columns = columns;
    this.keys = keys;
  }

  static RowKeys of(List<ColumnDescription> description, List<Integer> columns) {
    int[] positions = new int[columns.size()];
    ValueKey[] keys = new ValueKey[columns.size()];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = position(columns.get(i), description.size());
      keys[i] = ValueKey.forEquality(description.get(positions[i]));
    }
    return new RowKeys(positions, keys);
  }

  /** From a position that may count from the end to one from 0. */
  static int position(int column, int columnCount) {
    return column < 0 ? columnCount + column : column;
  }

  boolean isEmpty() {
    return columns.length == 0;
  }

  /** An object that is equal to those of equal rows. */
  Object of(Row row) {
    List<Object> values = new ArrayList<>(columns.length);
    for (int i = 0; i < columns.length; i++) {
      byte[] value = row.value(columns[i]);
      values.add(value == null ? Null.NULL : keys[i].of(value));
    }
    return values;
  }

  @Override
  public String toString() {
    return Arrays.toString(columns);
  }

  /** NULL is equal to NULL here, and to nothing else. */
  private enum Null {
    NULL
  }
}
