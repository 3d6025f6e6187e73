package io.shardmark.proxy.merge;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes one row of the rows of each group; gives them out when all shards have answered. */
final class GroupedMerger implements RowMerger {
  private final int columns;
  private final GroupColumns grouping;
  private final RowOrder order;
  private final RowOutput output;
  private final Map<Object, Group> groups = new LinkedHashMap<>();

  /** Its first row, and what has been added up. */
  private record Group(Row first, List<Accumulator> accumulators) {}

  GroupedMerger(int columns, GroupColumns grouping, RowOrder order, RowOutput output) {
    this.columns = columns;
    this.grouping = grouping;
    this.order = order;
    this.output = output;
  }

  @Override
  public void row(int answer, ByteBuf dataRow, Consumer<ByteBuf> out) {
    output.allocateAs(dataRow);
    Row row = Row.copyOf(dataRow, columns);
    Group group = groups.computeIfAbsent(grouping.key(row), key -> open(row));
    for (Accumulator accumulator : group.accumulators()) {
      accumulator.add(row);
    }
  }

  private Group open(Row row) {
    List<Accumulator> accumulators = new ArrayList<>();
    for (int i = 0; i < grouping.aggregates(); i++) {
      accumulators.add(grouping.accumulator(i));
    }
    output
        .memory()
        .take((1L + accumulators.size()) * HeldMemory.OVERHEAD_BYTES + 2L * row.body().length);
    return new Group(row, accumulators);
  }

  @Override
  public void answerEnd(int answer, Consumer<ByteBuf> out) {
    // any later row may belong to any group
  }

  @Override
  public void finish(Consumer<ByteBuf> out) {
    if (order.isEmpty()) {
      for (Group group : groups.values()) {
        output.row(result(group), out);
      }
      return;
    }
    List<RowOrder.Keyed> rows = new ArrayList<>(groups.size());
    for (Group group : groups.values()) {
      rows.add(order.keyed(result(group)));
    }
    rows.sort(order);
    for (RowOrder.Keyed row : rows) {
      output.row(row.row(), out);
    }
  }

  private Row result(Group group) {
    byte[] @Nullable [] values = new byte[columns][];
    for (int i = 0; i < columns; i++) {
      values[i] = group.first().value(i);
    }
    for (int i = 0; i < grouping.aggregates(); i++) {
      values[grouping.column(i)] = group.accumulators().get(i).result();
    }
    return Row.of(values);
  }

  @Override
  public long rowCount() {
    return output.count();
  }

  @Override
  public boolean ahead(int answer) {
    return false;
  }

  @Override
  public boolean needs(int answer) {
    return true;
  }

  @Override
  public boolean satisfied() {
    return false;
  }

  @Override
  public void close() {
    groups.clear();
  }
}
