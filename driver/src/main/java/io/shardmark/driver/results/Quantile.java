package io.shardmark.driver.results;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** A quantile as R's default (type 7) defines it, as BenchmarkSQL's report has it. Pure. */
public final class Quantile {
  private Quantile() {}

  /**
   * Linear between the two order statistics around it, which are known to the histogram's
   * resolution.
   *
   * @param histogram with one value at least
   * @param share 0 to 1
   * @param least no value is below it
   * @param most no value is above it
   */
  public static double type7(Histogram histogram, double share, long least, long most) {
    long count = histogram.getTotalCount();
    double position = (count - 1) * share;
    long lower = (long) Math.floor(position);
    long upper = Math.min(lower + 1, count - 1);
    double below = orderStatistic(histogram, lower, least, most);
    double above = orderStatistic(histogram, upper, least, most);
    return below + (position - lower) * (above - below);
  }

  /**
   * @param rank from 0
   */
  private static long orderStatistic(Histogram histogram, long rank, long least, long most) {
    for (HistogramIterationValue step : histogram.recordedValues()) {
      if (step.getTotalCountToThisValue() > rank) {
        long middle = histogram.medianEquivalentValue(step.getValueIteratedTo());
        return Math.min(most, Math.max(least, middle));
      }
    }
    throw new IllegalArgumentException("a rank of %d in a smaller histogram".formatted(rank));
  }
}
