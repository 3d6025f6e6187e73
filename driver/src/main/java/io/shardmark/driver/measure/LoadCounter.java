package io.shardmark.driver.measure;

import io.shardmark.driver.results.LoadFigures;

/**
 * Counts what was due, begun and done, transaction by transaction. Used by one thread at a time.
 */
final class LoadCounter {
  private long due;
  private long begun;
  private long done;
  private long backlogAtStart;
  private long backlogAtEnd;
  private long inFlightAtEnd;

  /** So many transactions that ended, whenever that was. */
  void ended(Sample sample, long count, MeasurementInterval interval) {
    due += interval.contains(sample.dueNanos()) ? count : 0;
    begun += interval.contains(sample.dequeuedNanos()) ? count : 0;
    done += interval.contains(sample.endNanos()) ? count : 0;
    long start = interval.startNanos();
    long end = interval.endNanos();
    backlogAtStart += isAmid(sample.dueNanos(), start, sample.dequeuedNanos()) ? count : 0;
    backlogAtEnd += isAmid(sample.dueNanos(), end, sample.dequeuedNanos()) ? count : 0;
    inFlightAtEnd += isAmid(sample.dequeuedNanos(), end, sample.endNanos()) ? count : 0;
  }

  /** True if an instant is after one and not after the other. */
  private static boolean isAmid(long from, long nanos, long to) {
    return isBefore(from, nanos) && !isBefore(to, nanos);
  }

  private static boolean isBefore(long nanos, long than) {
    return nanos - than < 0;
  }

  LoadFigures figures(double askedPerMinute, long brokenOff) {
    return new LoadFigures(
        askedPerMinute, due, begun, done, backlogAtStart, backlogAtEnd, inFlightAtEnd, brokenOff);
  }
}
