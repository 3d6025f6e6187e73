package io.shardmark.driver.measure;

/**
 * Transactions that were not done when the interval ended, in a form that can be kept and added up.
 *
 * @param local ages of those that stay in one partition
 * @param distributed ages of the others
 * @param neverLocal of the local ones, how many did not end well later either
 * @param neverDistributed the same of the others
 */
public record UndoneTotals(
    LatencyTotals local, LatencyTotals distributed, long neverLocal, long neverDistributed) {}
