package io.shardmark.driver.selfcheck;

import java.util.OptionalLong;

/**
 * What this process used between two readings. Figures that the platform does not say are 0.
 *
 * @param wallNanos time between the readings
 * @param cpuNanos user and system time of all threads
 * @param gcCount garbage collections that ended in it
 * @param gcPauseNanos their time in sum; work that a collector does concurrently is not in it
 * @param longestGcPauseNanos the longest of them
 * @param heapUsedBytes at the end
 * @param heapCommittedBytes at the end
 * @param residentBytes memory of the whole process at the end (RSS)
 * @param contextSwitches of all threads, those that have ended included; empty if not known
 */
public record ClientReading(
    long wallNanos,
    long cpuNanos,
    long gcCount,
    long gcPauseNanos,
    long longestGcPauseNanos,
    long heapUsedBytes,
    long heapCommittedBytes,
    long residentBytes,
    OptionalLong contextSwitches) {

  /** How many processors were kept busy on average. */
  public double coresUsed() {
    return wallNanos <= 0 ? 0 : (double) cpuNanos / wallNanos;
  }
}
