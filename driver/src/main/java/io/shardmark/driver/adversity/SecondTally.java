package io.shardmark.driver.adversity;

import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.LatencyHistogram;
import io.shardmark.driver.results.Latency;
import org.HdrHistogram.IntCountsHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of counted types that ended in one second, or in several. Latencies have two digits
 * and take some kilobytes, so that an hour of seconds fits into memory. Used by one thread at a
 * time.
 */
final class SecondTally {
  private static final long SHORTEST_NANOS = 10_000;
  private static final int DIGITS = 2;

  private final IntCountsHistogram latencies =
      new IntCountsHistogram(SHORTEST_NANOS, 2 * SHORTEST_NANOS, DIGITS);
  private long successes;
  private long failed;
  private long lost;
  private long wrong;

  SecondTally() {
    latencies.setAutoResize(true);
  }

  /** So many that ended in this way. */
  void add(Disposition disposition, long count) {
    if (!disposition.isError()) {
      successes += count;
      return;
    }
    failed += count;
    lost += disposition == Disposition.CONNECTION_LOST ? count : 0;
    wrong += disposition == Disposition.WRONG_DATA ? count : 0;
  }

  /** From due to done, of successes. */
  void add(LatencyHistogram due) {
    latencies.add(due.histogram());
  }

  void add(SecondTally other) {
    latencies.add(other.latencies);
    successes += other.successes;
    failed += other.failed;
    lost += other.lost;
    wrong += other.wrong;
  }

  long successes() {
    return successes;
  }

  long failed() {
    return failed;
  }

  long lost() {
    return lost;
  }

  long wrong() {
    return wrong;
  }

  /** Null without successes. */
  @Nullable Double p99Millis() {
    return latencies.getTotalCount() == 0
        ? null
        : Latency.millis(latencies.getValueAtPercentile(99));
  }
}
