package io.shardmark.driver.measure;

/**
 * What a report says about one set of latencies, in nanoseconds. Minimum, mean and maximum are
 * exact, percentiles have three significant digits.
 *
 * @param count how many were measured; if 0 all others are 0
 * @param meanNanos arithmetic mean
 * @param p50Nanos half of them were at most this, and so on
 * @param clamped how many were above one hour and counted as one hour
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
    long clamped) {
  public static final LatencyFigures NONE = new LatencyFigures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
