package io.shardmark.proxy.merge;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one form of all merges.
 *
 * @param distinct columns of which only the first row is passed on; empty for all rows, null for
 *     all visible columns
 * @param hidden columns at the end that the client does not see
 */
record MergeShape(
    Sorting sorting,
    @Nullable List<Integer> distinct,
    @Nullable Grouping grouping,
    RowWindow window,
    int hidden)
    implements MergeSpec {

  @Override
  public int visibleColumns(int columnCount) {
    return columnCount - hidden;
  }

  @Override
  public MergeSpec with(RowCountParameters parameters) {
    RowWindow known = window.with(parameters);
    return known.equals(window) ? this : new MergeShape(sorting, distinct, grouping, known, hidden);
  }

  @Override
  public RowMerger open(List<ColumnDescription> columns, int shardCount, long memoryLimitBytes) {
    HeldMemory memory = new HeldMemory(memoryLimitBytes);
    RowOutput output =
        new RowOutput(
            columns.size() - hidden, distinctKeys(columns), OpenWindow.of(window), memory);
    if (grouping != null) {
      return new GroupedMerger(
          columns.size(),
          new GroupColumns(columns, grouping),
          new RowOrder(columns, sorting),
          output);
    }
    if (sorting.isEmpty() || shardCount == 1) {
      return new ConcatMerger(columns.size(), output);
    }
    return new SortedMerger(columns.size(), new RowOrder(columns, sorting), shardCount, output);
  }

  private RowKeys distinctKeys(List<ColumnDescription> columns) {
    if (distinct != null) {
      return RowKeys.of(columns, distinct);
    }
    List<Integer> visible = new ArrayList<>();
    for (int i = 0; i < visibleColumns(columns.size()); i++) {
      visible.add(i);
    }
    return RowKeys.of(columns, visible);
  }
}
