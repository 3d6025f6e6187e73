package io.shardmark.driver.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this process used between two instants: processor time and garbage collection. The JVM's own
 * counters; nothing runs in between.
 *
 * @param atNanos {@link System#nanoTime()} of the reading
 * @param cpuNanos user and system time of this process so far
 * @param gcMillis time that collectors reported so far (for concurrent collectors it holds some
 *     time in which the program ran on)
 * @param gcCount collections so far
 * @param usedHeapBytes heap in use at the reading
 */
public record ClientMeter(
    long atNanos, long cpuNanos, long gcMillis, long gcCount, long usedHeapBytes) {

  /** Reads all counters now. */
  public static ClientMeter read() {
    long gcMillis = 0;
    long gcCount = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      gcMillis += Math.max(0, collector.getCollectionTime());
      gcCount += Math.max(0, collector.getCollectionCount());
    }
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    Runtime runtime = Runtime.getRuntime();
    return new ClientMeter(
        System.nanoTime(),
        Math.max(0, system.getProcessCpuTime()),
        gcMillis,
        gcCount,
        runtime.totalMemory() - runtime.freeMemory());
  }

  /** Processors kept busy from this reading to a later one. */
  public double coresUsedUntil(ClientMeter later) {
    return (double) (later.cpuNanos - cpuNanos) / Math.max(1, later.atNanos - atNanos);
  }

  /** Share of the time from this reading to a later one that garbage collection took, 0 .. 1. */
  public double gcShareUntil(ClientMeter later) {
    double share = (later.gcMillis - gcMillis) * 1e6 / Math.max(1, later.atNanos - atNanos);
    return Math.min(1, share);
  }
}
