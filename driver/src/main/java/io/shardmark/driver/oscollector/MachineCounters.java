package io.shardmark.driver.oscollector;

import io.shardmark.driver.results.MachineUse;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a machine has counted since its start up to a moment, or between two moments.
 *
 * @param nanos the moment, by a steady clock of the observed machine; or the time between
 * @param cpu what all processors together spent, in any one unit and the order of /proc/stat: user,
 *     nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice. As in Linux, user
 *     contains guest, and nice contains guest_nice
 * @param dirtyPages pages that wait to be written back at the (last) moment, 0 if unknown
 * @param devices by their names with prefix, as {@link DeviceKind} has them; partitions too
 * @param physicalDisks names of those that are whole disks with a device
 */
record MachineCounters(
    long nanos,
    Counters cpu,
    long dirtyPages,
    Map<String, Counters> devices,
    Set<String> physicalDisks) {
  static final int CPU_COLUMNS = 10;
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int FIRST_GUEST = 8;

  private static final int READ_SECTORS = 2;
  private static final int WRITES = 3;
  private static final int WRITTEN_SECTORS = 5;
  private static final int BUSY_MILLIS = 6;
  private static final double SECTORS_PER_KB = 2;

  MachineCounters {
    devices = new TreeMap<>(devices);
    physicalDisks = new TreeSet<>(physicalDisks);
  }

  /** The same at another moment. */
  MachineCounters at(long moment) {
    return new MachineCounters(moment, cpu, dirtyPages, devices, physicalDisks);
  }

  /** What has happened since an earlier moment, with those devices that were there at both. */
  MachineCounters since(MachineCounters before) {
    Map<String, Counters> did = new HashMap<>();
    devices.forEach(
        (name, now) -> {
          Counters then = before.devices.get(name);
          if (then != null) {
            did.put(name, now.since(then));
          }
        });
    return new MachineCounters(
        nanos - before.nanos, cpu.since(before.cpu), dirtyPages, did, physicalDisks);
  }

  /** What happened in this time and a later one. */
  MachineCounters plus(MachineCounters later) {
    Map<String, Counters> sum = new HashMap<>(devices);
    later.devices.forEach((name, did) -> sum.merge(name, did, Counters::plus));
    return new MachineCounters(
        nanos + later.nanos, cpu.plus(later.cpu), later.dirtyPages, sum, later.physicalDisks);
  }

  /** All time of the processors; the guest figures are already in user and nice. */
  long cpuTotal() {
    return cpu.values().stream().limit(FIRST_GUEST).mapToLong(Long::longValue).sum();
  }

  /** How busy the machine was in this time; empty if none has passed. */
  Optional<MachineUse> use(boolean ofServer) {
    double total = cpuTotal();
    double seconds = nanos / 1e9;
    if (total <= 0 || seconds <= 0) {
      return Optional.empty();
    }
    SortedMap<String, MachineUse.Disk> used = new TreeMap<>();
    for (String disk : physicalDisks) {
      Counters did = devices.get(disk);
      if (did != null) {
        used.put(
            DeviceKind.BLOCK.kernelName(disk),
            new MachineUse.Disk(
                Math.min(1, did.get(BUSY_MILLIS) / 1e3 / seconds),
                did.get(READ_SECTORS) / SECTORS_PER_KB / seconds,
                did.get(WRITTEN_SECTORS) / SECTORS_PER_KB / seconds,
                did.get(WRITES) / seconds));
      }
    }
    long ioWait = cpu.get(IO_WAIT);
    return Optional.of(
        new MachineUse(ofServer, (total - cpu.get(IDLE) - ioWait) / total, ioWait / total, used));
  }
}
