package io.shardmark.driver.oscollector;

import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The operating system's counters at one moment.
 *
 * @param uptimeNanos the moment, by a steady clock of the observed machine
 * @param cpu processor times
 * @param dirtyPages pages that wait to be written back, 0 if unknown
 * @param blocks disks (and their partitions) by kernel name
 * @param physicalDisks those of {@code blocks} that are whole disks with a device behind them
 * @param nets network interfaces by kernel name
 */
record SystemSnapshot(
    long uptimeNanos,
    CpuTicks cpu,
    long dirtyPages,
    NavigableMap<String, BlockCounters> blocks,
    NavigableSet<String> physicalDisks,
    NavigableMap<String, NetCounters> nets) {

  static SystemSnapshot of(
      long uptimeNanos,
      CpuTicks cpu,
      long dirtyPages,
      Map<String, BlockCounters> blocks,
      Set<String> physicalDisks,
      Map<String, NetCounters> nets) {
    return new SystemSnapshot(
        uptimeNanos,
        cpu,
        dirtyPages,
        new TreeMap<>(blocks),
        new TreeSet<>(physicalDisks),
        new TreeMap<>(nets));
  }
}
