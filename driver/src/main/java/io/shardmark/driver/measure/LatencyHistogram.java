package io.shardmark.driver.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.Quantile;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Latencies in nanoseconds: three significant digits, half a microsecond at the low end, one hour
 * at the high end. Longer ones are recorded as one hour and counted. Minimum, maximum and mean are
 * exact. Grows with the largest value seen, up to about 190 KB. Used by one thread at a time.
 */
public final class LatencyHistogram {
  static final long MAX_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final long LOWEST_DISCERNIBLE_NANOS = 1000;
  private static final int SIGNIFICANT_DIGITS = 3;

  @JsonProperty("nanos")
  private final Histogram histogram;

  private long clamped;
  private long sumNanos;
  private long minNanos = Long.MAX_VALUE;
  private long maxNanos;

  public LatencyHistogram() {
    this(newHistogram());
  }

  /** HdrHistogram's, for latencies in nanoseconds. */
  public static Histogram newHistogram() {
    Histogram histogram =
        new Histogram(LOWEST_DISCERNIBLE_NANOS, 2 * LOWEST_DISCERNIBLE_NANOS, SIGNIFICANT_DIGITS);
    histogram.setAutoResize(true);
    return histogram;
  }

  @JsonCreator
  private LatencyHistogram(@JsonProperty(value = "nanos", required = true) Histogram histogram) {
    this.histogram = histogram;
  }

  public void record(long nanos) {
    record(nanos, 1);
  }

  void record(long nanos, long count) {
    long value = nanos;
    if (value > MAX_NANOS) {
      clamped += count;
      value = MAX_NANOS;
    }
    histogram.recordValueWithCount(value, count);
    sumNanos += value * count;
    minNanos = Math.min(minNanos, value);
    maxNanos = Math.max(maxNanos, value);
  }

  public void add(LatencyHistogram other) {
    if (other.count() == 0) {
      return;
    }
    clamped += other.clamped;
    add(other.histogram, other.sumNanos, other.minNanos, other.maxNanos);
  }

  /** Others, whose sum, minimum and maximum are exact. */
  void add(Histogram others, long sum, long min, long max) {
    histogram.add(others);
    sumNanos += sum;
    minNanos = Math.min(minNanos, min);
    maxNanos = Math.max(maxNanos, max);
  }

  void reset() {
    if (minNanos == Long.MAX_VALUE) {
      return;
    }
    histogram.reset();
    clamped = 0;
    sumNanos = 0;
    minNanos = Long.MAX_VALUE;
    maxNanos = 0;
  }

  public long count() {
    return histogram.getTotalCount();
  }

  /** All of them in sum. */
  public long sumNanos() {
    return sumNanos;
  }

  /** 0 if nothing was recorded. */
  long minNanos() {
    return minNanos == Long.MAX_VALUE ? 0 : minNanos;
  }

  /** 0 if nothing was recorded. */
  long maxNanos() {
    return maxNanos;
  }

  /** 0 if nothing was recorded. Never above the maximum, which a bucket's upper end may be. */
  long percentileNanos(double percentile) {
    return count() == 0 ? 0 : Math.min(maxNanos, histogram.getValueAtPercentile(percentile));
  }

  /**
   * How many were above the bound before and at most this one, for each bound and for what is above
   * the last.
   *
   * @param bounds in nanoseconds, growing
   */
  public List<Long> countsUpTo(List<Long> bounds) {
    long[] counts = new long[bounds.size() + 1];
    int at = 0;
    for (HistogramIterationValue value : histogram.recordedValues()) {
      while (at < bounds.size() && value.getValueIteratedTo() > bounds.get(at)) {
        at++;
      }
      counts[at] += value.getCountAddedInThisIterationStep();
    }
    return LongStream.of(counts).boxed().toList();
  }

  /** How many were at least so long. */
  long countFrom(long nanos) {
    return maxNanos < nanos ? 0 : histogram.getCountBetweenValues(nanos, maxNanos);
  }

  /** The sum of those that were at least so long, to three digits. */
  long sumFromNanos(long nanos) {
    long sum = 0;
    for (HistogramIterationValue value : histogram.recordedValues()) {
      if (value.getValueIteratedTo() >= nanos) {
        sum += value.getCountAddedInThisIterationStep() * value.getValueIteratedTo();
      }
    }
    return sum;
  }

  /** In milliseconds. */
  public Latency figures() {
    return count() == 0
        ? Latency.NONE
        : new Latency(
            count(),
            0,
            null,
            Latency.millis(minNanos),
            Latency.millis(sumNanos / count()),
            percentileMillis(50),
            percentileMillis(90),
            percentileMillis(95),
            percentileMillis(99),
            percentileMillis(99.9),
            Latency.millis(maxNanos),
            clamped);
  }

  private double percentileMillis(double percentile) {
    return Latency.millis(percentileNanos(percentile));
  }

  /**
   * The quantile as R's default defines it; 0 if nothing was recorded.
   *
   * @param share 0 .. 1
   */
  double quantileType7Nanos(double share) {
    return count() == 0 ? 0 : Quantile.type7(histogram, share, minNanos, maxNanos);
  }

  LatencyHistogram copy() {
    LatencyHistogram copy = new LatencyHistogram();
    copy.add(this);
    return copy;
  }

  /** Its own, for HdrHistogram's log format: for reading. */
  public Histogram histogram() {
    return histogram;
  }
}
