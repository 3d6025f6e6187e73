package io.shardmark.driver.measure;

import org.HdrHistogram.Histogram;

/**
 * All latencies of one kind in a form that can be kept and added up: a histogram, and beside it
 * what a histogram knows only to three digits.
 *
 * @param nanos the histogram; owned by the receiver
 * @param sumNanos sum of all values
 * @param minNanos 0 if there are none
 * @param maxNanos 0 if there are none
 * @param clamped values above one hour, which count as one hour
 */
public record LatencyTotals(
    Histogram nanos, long sumNanos, long minNanos, long maxNanos, long clamped) {

  /** 0 if there are none. Never above the maximum, which a bucket's upper end may be. */
  long percentileNanos(double percentile) {
    return count() == 0 ? 0 : Math.min(maxNanos, nanos.getValueAtPercentile(percentile));
  }

  public long count() {
    return nanos.getTotalCount();
  }
}
