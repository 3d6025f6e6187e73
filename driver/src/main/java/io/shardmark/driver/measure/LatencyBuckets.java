package io.shardmark.driver.measure;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Durations counted in buckets, for monitoring that asks again and again: each duration of a run is
 * in them, whenever it ended. One thread writes, any thread reads.
 *
 * <p>A bucket ends at a power of two nanoseconds or half way to the next, from 32 microseconds to
 * 69 seconds, so that a percentile read from them is at most a third off.
 */
public final class LatencyBuckets {
  private static final int FIRST_POWER = 15;
  private static final int LAST_POWER = 36;

  /** Buckets with an upper bound; one more takes all that is longer. */
  public static final int BOUNDED = 2 * (LAST_POWER - FIRST_POWER) + 1;

  private final AtomicLongArray counts = new AtomicLongArray(BOUNDED + 1);
  private final AtomicLong sumNanos = new AtomicLong();

  void record(long nanos) {
    int bucket = bucketOf(nanos);
    counts.setOpaque(bucket, counts.getPlain(bucket) + 1);
    sumNanos.setOpaque(sumNanos.getPlain() + Math.max(0, nanos));
  }

  private static int bucketOf(long nanos) {
    if (nanos <= 1L << FIRST_POWER) {
      return 0;
    }
    long below = nanos - 1;
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(below);
    int half = (int) (below >>> (power - 1)) & 1;
    return Math.min(2 * (power - FIRST_POWER) + 1 + half, BOUNDED);
  }

  /**
   * How many durations were at most this bucket's bound and above the one before it.
   *
   * @param bucket 0 .. {@link #BOUNDED}
   */
  public long count(int bucket) {
    return counts.getOpaque(bucket);
  }

  /** All durations in sum. */
  public double sumSeconds() {
    return sumNanos.getOpaque() / 1e9;
  }

  /** Upper bound of a bucket, which belongs to it; infinite for the last. */
  public static double boundSeconds(int bucket) {
    if (bucket == BOUNDED) {
      return Double.POSITIVE_INFINITY;
    }
    long power = 1L << (FIRST_POWER + bucket / 2);
    return (bucket % 2 == 0 ? power : power + power / 2) / 1e9;
  }
}
