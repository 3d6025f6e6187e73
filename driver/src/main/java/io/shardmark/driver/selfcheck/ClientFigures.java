package io.shardmark.driver.selfcheck;

/**
 * What this process used between two instants. Figures that the platform does not tell are 0.
 *
 * @param wallNanos length of the interval
 * @param cpuNanos user and system time of all threads
 * @param systemCpuNanos the system's part of {@code cpuNanos}, to 10 ms
 * @param gcCount garbage collections that ended in the interval
 * @param gcPauseNanos their time in sum; work that a collector does beside the program is not in it
 * @param maxGcPauseNanos the longest of them
 * @param heapUsedBytes at the end
 * @param heapCommittedBytes at the end
 * @param residentBytes memory of the whole process at the end (RSS)
 * @param contextSwitches of the threads that live at the end, voluntary and forced
 */
public record ClientFigures(
    long wallNanos,
    long cpuNanos,
    long systemCpuNanos,
    long gcCount,
    long gcPauseNanos,
    long maxGcPauseNanos,
    long heapUsedBytes,
    long heapCommittedBytes,
    long residentBytes,
    long contextSwitches) {

  /** User time of all threads. */
  public long userCpuNanos() {
    return cpuNanos - systemCpuNanos;
  }

  /** How many processors were kept busy on average. */
  public double coresUsed() {
    return wallNanos <= 0 ? 0 : (double) cpuNanos / wallNanos;
  }
}
