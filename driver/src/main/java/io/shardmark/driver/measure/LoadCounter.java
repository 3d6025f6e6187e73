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

  /** A transaction that ended, whenever that was. */
  void ended(Sample sample, MeasurementInterval interval) {
    begun(sample.dueNanos(), sample.dequeuedNanos(), interval);
    if (interval.contains(sample.endNanos())) {
      done++;
    } else if (isBefore(sample.dequeuedNanos(), interval.endNanos())
        && !isBefore(sample.endNanos(), interval.endNanos())) {
      inFlightAtEnd++;
    }
  }

  /** A transaction that was begun and will never end. */
  void lost(long dueNanos, long dequeuedNanos, MeasurementInterval interval) {
    begun(dueNanos, dequeuedNanos, interval);
    if (isBefore(dequeuedNanos, interval.endNanos())) {
      inFlightAtEnd++;
    }
  }

  private void begun(long dueNanos, long dequeuedNanos, MeasurementInterval interval) {
    due += interval.contains(dueNanos) ? 1 : 0;
    begun += interval.contains(dequeuedNanos) ? 1 : 0;
    if (isBefore(dueNanos, interval.startNanos())
        && !isBefore(dequeuedNanos, interval.startNanos())) {
      backlogAtStart++;
    }
    if (isBefore(dueNanos, interval.endNanos()) && !isBefore(dequeuedNanos, interval.endNanos())) {
      backlogAtEnd++;
    }
  }

  /**
   * So many transactions that were due by the end of the interval and never begun.
   *
   * @param dueNanos when, about
   */
  void neverBegun(long dueNanos, long count, MeasurementInterval interval) {
    backlogAtEnd += count;
    if (interval.contains(dueNanos)) {
      due += count;
    } else {
      backlogAtStart += count;
    }
  }

  private static boolean isBefore(long nanos, long than) {
    return nanos - than < 0;
  }

  LoadFigures figures(double askedPerMinute, long brokenOff) {
    return new LoadFigures(
        askedPerMinute, due, begun, done, backlogAtStart, backlogAtEnd, inFlightAtEnd, brokenOff);
  }
}
