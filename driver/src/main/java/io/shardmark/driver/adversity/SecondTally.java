package io.shardmark.driver.adversity;

import io.shardmark.driver.measure.Disposition;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of counted types that ended in one second, or in several. Latencies are in buckets
 * each 2 % longer than the one before, in 4 KB, so that an hour of seconds fits into memory. Used
 * by one thread at a time.
 */
final class SecondTally {
  private static final double SHORTEST_NANOS = 10_000;
  private static final double STEP = Math.log(1.02);

  /** Up to an hour. */
  private static final int BUCKETS = 1 + (int) Math.ceil(Math.log(3.6e12 / SHORTEST_NANOS) / STEP);

  private final int[] latencies = new int[BUCKETS];
  private long successes;
  private long failed;
  private long lost;
  private long wrong;

  void add(Disposition disposition, long dueLatencyNanos) {
    if (disposition.isError()) {
      failed++;
      lost += disposition == Disposition.CONNECTION_LOST ? 1 : 0;
      wrong += disposition == Disposition.WRONG_DATA ? 1 : 0;
      return;
    }
    successes++;
    double bucket = Math.ceil(Math.log(dueLatencyNanos / SHORTEST_NANOS) / STEP);
    latencies[(int) Math.max(0, Math.min(BUCKETS - 1.0, bucket))]++;
  }

  void add(SecondTally other) {
    Arrays.setAll(latencies, i -> latencies[i] + other.latencies[i]);
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

  /** The upper end of its bucket; null without successes. */
  @Nullable Double p99Millis() {
    long left = (long) Math.ceil(0.99 * successes);
    for (int i = 0; left > 0; i++) {
      left -= latencies[i];
      if (left <= 0) {
        return SHORTEST_NANOS * Math.exp(STEP * i) / 1e6;
      }
    }
    return null;
  }
}
