package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * One set of latencies, in milliseconds. Minimum, mean and maximum are exact, percentiles have
 * three significant digits.
 *
 * @param count how many were measured
 * @param undone how many more were due and not done when the interval ended; not in the count
 * @param lowerBoundFrom the percentile from which on, up to the maximum (100), these make the
 *     figures lower bounds; null if they make none one
 * @param min the shortest; 0 if the source does not say
 * @param p50 half of them were at most this, and so on
 * @param p999 99.9 % of them were at most this
 * @param clamped how many were above one hour and counted as one hour
 */
public record Latency(
    long count,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long undone,
    @Nullable Double lowerBoundFrom,
    double min,
    double mean,
    double p50,
    double p90,
    double p95,
    double p99,
    @JsonProperty("p99_9") double p999,
    double max,
    long clamped) {

  /** Of transactions that are all done, from a source that does not say the shortest. */
  public static Latency of(
      long count,
      double mean,
      double p50,
      double p90,
      double p95,
      double p99,
      double p999,
      double max) {
    return new Latency(count, 0, null, 0, mean, p50, p90, p95, p99, p999, max, 0);
  }

  /** Nothing was measured. */
  public static final Latency NONE = new Latency(0, 0, null, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** True if the figure at this percentile (100: the maximum) may be higher than is known. */
  public boolean isLowerBound(double percentile) {
    return lowerBoundFrom != null && percentile >= lowerBoundFrom;
  }

  /** Null unless there are samples, or transactions that were not done. */
  public static @Nullable Latency known(@Nullable Latency latency) {
    return latency == null || latency.count + latency.undone == 0 ? null : latency;
  }

  /** Rounded to microseconds: more digits than a histogram has. */
  public static double millis(long nanos) {
    return Math.round(nanos / 1000.0) / 1000.0;
  }
}
