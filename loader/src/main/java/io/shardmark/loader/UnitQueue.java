package io.shardmark.loader;

import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.LoadUnit;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Deals the units that a process has to load out to its workers, in order, and knows which
 * partitions are under way. Units have fixed numbers over the whole data set, so that nothing but a
 * bit for each is kept. Thread-safe.
 */
final class UnitQueue {
  private final DataSet data;
  private final BitSet done;
  private final LoadListener listener;
  private final Map<Integer, Integer> remaining = new HashMap<>();
  private int nextNumber;
  private int completed;
  private long rows;

  /**
   * @param done numbers of the units that an earlier run has completed; not changed
   */
  UnitQueue(DataSet data, BitSet done, LoadListener listener) {
    this.data = data;
    this.done = done;
    this.listener = listener;
    nextNumber = data.firstUnit();
  }

  /** The next unit, or null if all are taken. */
  synchronized @Nullable LoadUnit take(int worker) {
    int number = done.nextClearBit(nextNumber);
    if (number >= data.endUnit()) {
      return null;
    }
    nextNumber = number + 1;
    LoadUnit unit = data.unit(number);
    if (!remaining.containsKey(unit.partition())) {
      remaining.put(unit.partition(), remaining(unit));
      listener.partitionStarted(worker, data.partitionName(unit.partition()));
    }
    return unit;
  }

  /** How many units of this process' part are in the same partition, and still to be loaded. */
  private int remaining(LoadUnit unit) {
    int first = unit.number();
    while (first > data.firstUnit() && data.unit(first - 1).partition() == unit.partition()) {
      first--;
    }
    int end = unit.number() + 1;
    while (end < data.endUnit() && data.unit(end).partition() == unit.partition()) {
      end++;
    }
    return end - first - done.get(first, end).cardinality();
  }

  synchronized void completed(int worker, LoadUnit unit, long unitRows) {
    completed++;
    rows += unitRows;
    listener.rowsDone(unitRows);
    int left = remaining.merge(unit.partition(), -1, Integer::sum);
    if (left == 0) {
      listener.partitionDone(worker, data.partitionName(unit.partition()));
      remaining.remove(unit.partition());
    }
  }

  /** Rows of the units that this run has completed. */
  synchronized long rows() {
    return rows;
  }

  /** Units that are not complete. */
  synchronized int missing() {
    return total() - alreadyDone() - completed;
  }

  /** Units of this process' part. */
  int total() {
    return data.endUnit() - data.firstUnit();
  }

  /** Those of them that an earlier run has completed. */
  int alreadyDone() {
    return done.get(data.firstUnit(), data.endUnit()).cardinality();
  }

  /** About how many rows are to be written. */
  long expectedRows() {
    long all = data.expectedRows(data.firstUnit(), data.endUnit());
    return all * (total() - alreadyDone()) / Math.max(1, total());
  }
}
