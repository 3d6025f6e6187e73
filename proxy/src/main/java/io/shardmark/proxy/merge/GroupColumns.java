package io.shardmark.proxy.merge;

import java.util.List;
import java.util.function.Supplier;

/** The columns of grouped rows: which make the group, which are aggregates and of what kind. */
final class GroupColumns {
  private final RowKeys keys;
  private final int[] columns;
  private final List<Supplier<Accumulator>> accumulators;

  GroupColumns(List<ColumnDescription> description, Grouping grouping) {
    int count = description.size();
    keys = RowKeys.of(description, grouping.columns());
    columns =
        grouping.aggregates().stream()
            .mapToInt(aggregate -> RowKeys.position(aggregate.column(), count))
            .toArray();
    accumulators =
        grouping.aggregates().stream()
            .map(aggregate -> Accumulators.of(aggregate, description))
            .toList();
  }

  /** Equal for the rows of one group. */
  Object key(Row row) {
    return keys.of(row);
  }

  int aggregates() {
    return columns.length;
  }

  /** The column that an aggregate's result is put into. */
  int column(int aggregate) {
    return columns[aggregate];
  }

  Accumulator accumulator(int aggregate) {
    return accumulators.get(aggregate).get();
  }
}
