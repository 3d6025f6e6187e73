package io.shardmark.driver.measure;

import io.shardmark.driver.results.LoadFigures;
import java.util.ArrayList;
import java.util.List;

/**
 * What the terminals left undone when a run was over and no sample tells of: transactions that were
 * due and never begun, and those that a thread had begun and never ended. Made by one thread after
 * all workers have ended.
 */
public final class LeftOver {
  private final double askedPerMinute;
  private final List<Entry> entries = new ArrayList<>();
  private long brokenOff;

  /** So many of one type, due about then. */
  private record Entry(
      int typeIndex, boolean distributed, long dueNanos, long dequeuedNanos, long count) {}

  /**
   * @param askedPerMinute rate of the schedule; 0 if there is none
   */
  public LeftOver(double askedPerMinute) {
    this.askedPerMinute = askedPerMinute;
  }

  /** So many transactions were due, about then, and never begun. */
  public void neverBegun(int typeIndex, boolean distributed, long dueNanos, long count) {
    entries.add(new Entry(typeIndex, distributed, dueNanos, 0, count));
  }

  /** A transaction was begun, and its thread has not come back from it. */
  public void neverEnded(int typeIndex, boolean distributed, long dueNanos, long dequeuedNanos) {
    entries.add(new Entry(typeIndex, distributed, dueNanos, dequeuedNanos, 0));
  }

  /** So many had to be broken off. */
  public void brokenOff(long count) {
    brokenOff = count;
  }

  void addTo(
      List<TypeStatistics> types,
      LoadCounter load,
      List<StageCounter> stages,
      MeasurementInterval interval) {
    for (Entry entry : entries) {
      TypeStatistics type = types.get(entry.typeIndex);
      long age = interval.endNanos() - entry.dueNanos;
      if (age >= 0) {
        type.addUndone(age, Math.max(1, entry.count), entry.distributed, true);
      }
      if (type.type().counted() && entry.count > 0 && age >= 0) {
        load.neverBegun(entry.dueNanos, entry.count, interval);
        stages.forEach(
            stage -> stage.neverBegun(entry.dueNanos, entry.count, entry.distributed, interval));
      } else if (type.type().counted() && entry.count == 0) {
        load.lost(entry.dueNanos, entry.dequeuedNanos, interval);
        stages.forEach(
            stage -> stage.lost(entry.dueNanos, entry.dequeuedNanos, entry.distributed, interval));
      }
    }
  }

  LoadFigures figures(LoadCounter load) {
    return load.figures(askedPerMinute, brokenOff);
  }
}
