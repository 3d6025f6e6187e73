package io.shardmark.driver.measure;

/**
 * What a report says about one set of latencies, in nanoseconds. Minimum, mean and maximum are
 * exact, percentiles have three significant digits.
 *
 * @param count how many were measured; if 0 all others are 0
 * @param meanNanos arithmetic mean
 * @param p50Nanos half of them were at most this, and so on
 * @param clamped how many were above one hour and counted as one hour
 * @param undone how many more were due and not done when the interval ended; not in the count
 * @param lowerBoundFrom the percentile from which on, up to the maximum (100), these may make the
 *     figures higher than they are known to be; {@link #NO_LOWER_BOUND} if they cannot
 */
public record LatencyFigures(
    long count,
    long minNanos,
    long meanNanos,
    long p50Nanos,
    long p90Nanos,
    long p95Nanos,
    long p99Nanos,
    long p999Nanos,
    long maxNanos,
    long clamped,
    long undone,
    double lowerBoundFrom) {
  /** All figures are what they are. */
  public static final double NO_LOWER_BOUND = 101;

  public static final LatencyFigures NONE = new LatencyFigures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Of transactions that are all done. */
  public LatencyFigures(
      long count,
      long minNanos,
      long meanNanos,
      long p50Nanos,
      long p90Nanos,
      long p95Nanos,
      long p99Nanos,
      long p999Nanos,
      long maxNanos,
      long clamped) {
    this(
        count,
        minNanos,
        meanNanos,
        p50Nanos,
        p90Nanos,
        p95Nanos,
        p99Nanos,
        p999Nanos,
        maxNanos,
        clamped,
        0,
        NO_LOWER_BOUND);
  }

  /** True if the figure at this percentile (100: the maximum) may be higher than is known. */
  public boolean isLowerBound(double percentile) {
    return percentile >= lowerBoundFrom;
  }

  /** True if nothing is known at all. */
  public boolean isEmpty() {
    return count + undone == 0;
  }
}
