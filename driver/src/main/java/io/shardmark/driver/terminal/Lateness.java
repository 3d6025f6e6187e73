package io.shardmark.driver.terminal;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How much later than due a free worker took a terminal up, in nanoseconds: the error of the clock
 * and the scheduler.
 */
final class Lateness {
  private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(10);

  private Lateness() {}

  /** Two digits are enough for an error bar, and keep a histogram per worker small. */
  static Histogram newHistogram() {
    return new Histogram(1000, HIGHEST_NANOS, 2);
  }

  static void record(Histogram histogram, long nanos) {
    histogram.recordValue(Math.min(Math.max(nanos, 0), HIGHEST_NANOS));
  }
}
