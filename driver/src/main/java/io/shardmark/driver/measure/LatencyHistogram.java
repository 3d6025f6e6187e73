package io.shardmark.driver.measure;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Latencies in nanoseconds: three significant digits, half a microsecond at the low end, one hour
 * at the high end. Longer ones are recorded as one hour and counted. Grows with the largest value
 * seen, up to about 190 KB. Used by one thread at a time.
 */
final class LatencyHistogram {
  static final long MAX_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final long LOWEST_DISCERNIBLE_NANOS = 1000;
  private static final int SIGNIFICANT_DIGITS = 3;

  private final Histogram histogram;
  private long clamped;

  LatencyHistogram() {
    histogram =
        new Histogram(LOWEST_DISCERNIBLE_NANOS, 2 * LOWEST_DISCERNIBLE_NANOS, SIGNIFICANT_DIGITS);
    histogram.setAutoResize(true);
  }

  void record(long nanos) {
    if (nanos > MAX_NANOS) {
      clamped++;
      histogram.recordValue(MAX_NANOS);
    } else {
      histogram.recordValue(nanos);
    }
  }

  void add(LatencyHistogram other) {
    histogram.add(other.histogram);
    clamped += other.clamped;
  }

  void reset() {
    histogram.reset();
    clamped = 0;
  }

  long count() {
    return histogram.getTotalCount();
  }

  /** Values above one hour, which count as one hour. */
  long clamped() {
    return clamped;
  }

  /** 0 if nothing was recorded. */
  long percentileNanos(double percentile) {
    return count() == 0 ? 0 : histogram.getValueAtPercentile(percentile);
  }

  LatencyFigures figures() {
    if (count() == 0) {
      return LatencyFigures.NONE;
    }
    return new LatencyFigures(
        count(),
        histogram.getMinValue(),
        Math.round(histogram.getMean()),
        percentileNanos(50),
        percentileNanos(90),
        percentileNanos(95),
        percentileNanos(99),
        percentileNanos(99.9),
        histogram.getMaxValue(),
        clamped);
  }

  /**
   * The quantile as R's default (type 7) defines it: linear between the two order statistics around
   * it. The order statistics are known to the histogram's resolution.
   *
   * @param share 0 .. 1
   */
  double quantileType7Nanos(double share) {
    long count = count();
    if (count == 0) {
      return 0;
    }
    double position = (count - 1) * share;
    long lower = (long) Math.floor(position);
    double below = orderStatistic(lower);
    double above = orderStatistic(Math.min(lower + 1, count - 1));
    return below + (position - lower) * (above - below);
  }

  /**
   * @param rank from 0
   */
  private double orderStatistic(long rank) {
    for (HistogramIterationValue step : histogram.recordedValues()) {
      if (step.getTotalCountToThisValue() > rank) {
        long middle = histogram.medianEquivalentValue(step.getValueIteratedTo());
        return Math.min(histogram.getMaxValue(), Math.max(histogram.getMinValue(), middle));
      }
    }
    return histogram.getMaxValue();
  }

  LatencyHistogram copy() {
    LatencyHistogram copy = new LatencyHistogram();
    copy.add(this);
    return copy;
  }

  /** A copy for HdrHistogram's own log format. */
  Histogram toHdrHistogram() {
    return histogram.copy();
  }
}
