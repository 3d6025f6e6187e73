package io.shardmark.driver.oscollector;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The operating system's counters at one moment. Devices are in the order of their names.
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
    Map<String, BlockCounters> blocks,
    Set<String> physicalDisks,
    Map<String, NetCounters> nets) {
  SystemSnapshot {
    blocks = new TreeMap<>(blocks);
    physicalDisks = new TreeSet<>(physicalDisks);
    nets = new TreeMap<>(nets);
  }

  /** The same at another moment. */
  SystemSnapshot at(long nanos) {
    return new SystemSnapshot(nanos, cpu, dirtyPages, blocks, physicalDisks, nets);
  }
}
