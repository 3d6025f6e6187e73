package io.shardmark.driver.measure;

import io.shardmark.driver.results.LoadFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What the terminals left undone when a run was over and that is in no sample: transactions that
 * were due and never begun, and those that a thread had begun and never ended. Made by one thread
 * after all workers have ended.
 */
public final class LeftOver {
  private final double askedPerMinute;
  private final List<UndoneWork> entries = new ArrayList<>();
  private long brokenOff;

  /** So many of one type, due about then. */
  private record UndoneWork(
      int typeIndex,
      boolean distributed,
      long dueNanos,
      @Nullable Long dequeuedNanos,
      long count) {}

  /**
   * @param askedPerMinute rate of the schedule; 0 if there is none
   */
  public LeftOver(double askedPerMinute) {
    this.askedPerMinute = askedPerMinute;
  }

  /** So many transactions were due, about then, and never begun. */
  public void neverBegun(int typeIndex, boolean distributed, long dueNanos, long count) {
    entries.add(new UndoneWork(typeIndex, distributed, dueNanos, null, count));
  }

  /** A transaction was begun, and its thread has not come back from it. */
  public void neverEnded(int typeIndex, boolean distributed, long dueNanos, long dequeuedNanos) {
    entries.add(new UndoneWork(typeIndex, distributed, dueNanos, dequeuedNanos, 1));
  }

  /** So many had to be broken off. */
  public void brokenOff(long count) {
    brokenOff = count;
  }

  /**
   * Hands on each with how many it represents: as a failure at the first instant that does not
   * count, which was begun then too if it never was.
   *
   * @param consumer gets the same sample again and again
   */
  void forEach(MeasurementInterval interval, ObjLongConsumer<Sample> consumer) {
    long end = interval.endNanos();
    Sample sample = new Sample();
    for (UndoneWork entry : entries) {
      long begun = entry.dequeuedNanos == null ? end : entry.dequeuedNanos;
      sample.set(
          entry.dueNanos,
          begun,
          begun,
          end,
          Sample.pack(entry.typeIndex, Disposition.OTHER_ERROR, 0, 0, entry.distributed, -1));
      consumer.accept(sample, entry.count);
    }
  }

  LoadFigures figures(LoadCounter load) {
    return load.figures(askedPerMinute, brokenOff);
  }
}
