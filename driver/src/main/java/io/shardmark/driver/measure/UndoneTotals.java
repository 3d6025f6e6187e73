package io.shardmark.driver.measure;

import org.HdrHistogram.Histogram;

/**
 * Transactions that were not done when the interval ended, in a form that can be kept and added up.
 *
 * @param local ages of those that stay in one partition
 * @param distributed ages of the others
 * @param neverLocal of the local ones, how many did not end well later either
 * @param neverDistributed the same of the others
 */
public record UndoneTotals(
    LatencyTotals local, LatencyTotals distributed, long neverLocal, long neverDistributed) {
  /** There are none. */
  public static UndoneTotals none() {
    LatencyTotals nothing = new LatencyTotals(new Histogram(3), 0, 0, 0, 0);
    return new UndoneTotals(nothing, nothing, 0, 0);
  }
}
