package io.shardmark.loader;

import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.LoadUnit;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The units a process has to load, in order. Units have fixed numbers over the whole data set, so
 * that nothing but a bit for each is kept. Immutable once built.
 */
final class UnitPlan {
  private final DataSet data;
  private final BitSet done;

  /**
   * @param done numbers of the units that an earlier run has completed
   */
  UnitPlan(DataSet data, BitSet done) {
    this.data = data;
    this.done = done;
  }

  LoadUnit unit(int number) {
    return data.unit(number);
  }

  String partitionName(int partition) {
    return data.partitionName(partition);
  }

  /**
   * The first unit that is to be loaded, from a number on.
   *
   * @return its number, or -1
   */
  int next(int from) {
    int number = done.nextClearBit(Math.max(from, data.firstUnit()));
    return number < data.endUnit() ? number : -1;
  }

  /** How many units of this process' part are in the same partition, and still to be loaded. */
  int remaining(int number) {
    int partition = data.unit(number).partition();
    int first = number;
    while (first > data.firstUnit() && data.unit(first - 1).partition() == partition) {
      first--;
    }
    int end = number + 1;
    while (end < data.endUnit() && data.unit(end).partition() == partition) {
      end++;
    }
    return end - first - done.get(first, end).cardinality();
  }

  int total() {
    return data.endUnit() - data.firstUnit();
  }

  int alreadyDone() {
    return done.get(data.firstUnit(), data.endUnit()).cardinality();
  }

  long expectedRows() {
    long rows = data.expectedRows(data.firstUnit(), data.endUnit());
    return rows * (total() - alreadyDone()) / Math.max(1, total());
  }

  /** The tables that this process fills. */
  static Set<DataTable> tables(DataSet data) {
    Set<DataTable> tables = new LinkedHashSet<>();
    if (data.firstUnit() == 0) {
      data.lastTable().ifPresent(tables::add);
    }
    for (int number = data.firstUnit(); number < data.endUnit(); number++) {
      tables.addAll(data.unit(number).tables());
    }
    return tables;
  }
}
