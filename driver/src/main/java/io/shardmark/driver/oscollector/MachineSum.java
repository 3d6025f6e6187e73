package io.shardmark.driver.oscollector;

import io.shardmark.driver.results.MachineUse;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Adds up what a machine did between snapshots of the measurement interval. One thread. */
final class MachineSum {
  private static final double SECTORS_PER_KB = 2;

  private long processorTime;
  private long idle;
  private long ioWait;
  private long nanos;
  private final SortedMap<String, Work> disks = new TreeMap<>();

  /** Of a disk. */
  private static final class Work {
    private long busyMillis;
    private long readSectors;
    private long writtenSectors;
    private long writes;

    private void add(BlockCounters from, BlockCounters to) {
      busyMillis += Math.max(0, to.busyMillis() - from.busyMillis());
      readSectors += Math.max(0, to.readSectors() - from.readSectors());
      writtenSectors += Math.max(0, to.writeSectors() - from.writeSectors());
      writes += Math.max(0, to.writeOperations() - from.writeOperations());
    }
  }

  void add(SystemSnapshot from, SystemSnapshot to) {
    CpuTicks spent = to.cpu().since(from.cpu());
    processorTime += spent.total();
    idle += spent.idle();
    ioWait += spent.ioWait();
    nanos += to.uptimeNanos() - from.uptimeNanos();
    for (String disk : to.physicalDisks()) {
      BlockCounters before = from.blocks().get(disk);
      BlockCounters after = to.blocks().get(disk);
      if (before != null && after != null) {
        disks.computeIfAbsent(disk, name -> new Work()).add(before, after);
      }
    }
  }

  /** Empty if there was nothing to add. */
  Optional<MachineUse> use(boolean ofServer) {
    if (processorTime <= 0 || nanos <= 0) {
      return Optional.empty();
    }
    double total = processorTime;
    double seconds = nanos / 1e9;
    SortedMap<String, MachineUse.Disk> used = new TreeMap<>();
    disks.forEach(
        (name, work) ->
            used.put(
                name,
                new MachineUse.Disk(
                    Math.min(1, work.busyMillis / 1e3 / seconds),
                    work.readSectors / SECTORS_PER_KB / seconds,
                    work.writtenSectors / SECTORS_PER_KB / seconds,
                    work.writes / seconds)));
    return Optional.of(
        new MachineUse(ofServer, (total - idle - ioWait) / total, ioWait / total, used));
  }
}
