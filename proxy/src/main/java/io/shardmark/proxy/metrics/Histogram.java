package io.shardmark.proxy.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Durations of one writer in buckets that double from 16 microseconds to about 17 seconds. Any
 * thread reads.
 */
final class Histogram {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  /** The first bound is 2 to this power in nanoseconds: 16.384 microseconds. */
  private static final int FIRST_POWER = 14;

  /** Bounded buckets; one more takes all that is longer. */
  static final int BOUNDED = 21;

  private final long[] counts = new long[BOUNDED + 1];
  private final long[] sumNanos = new long[1];

  void record(long nanos) {
    long positive = Math.max(0, nanos);
    // The power of two that is not below it.
    int power = positive <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(positive - 1);
    int bucket = Math.min(Math.max(power - FIRST_POWER, 0), BOUNDED);
    CELL.setOpaque(counts, bucket, counts[bucket] + 1);
    CELL.setOpaque(sumNanos, 0, sumNanos[0] + positive);
  }

  /** Number of durations up to the bound of this bucket and over that of the one before it. */
  long count(int bucket) {
    return (long) CELL.getOpaque(counts, bucket);
  }

  double sumSeconds() {
    return (long) CELL.getOpaque(sumNanos, 0) / 1e9;
  }

  /** Upper bound of a bucket in seconds; the last has none. */
  static double boundSeconds(int bucket) {
    return bucket == BOUNDED ? Double.POSITIVE_INFINITY : (1L << (FIRST_POWER + bucket)) / 1e9;
  }
}
