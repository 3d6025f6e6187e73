package io.shardmark.driver.oscollector;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import oshi.SystemInfo;
import oshi.hardware.HWDiskStore;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.hardware.NetworkIF;

/**
 * This machine, when it is not Linux. Merged requests, guest times and dirty pages are Linux'
 * notions and stay 0.
 */
final class OshiSource implements SnapshotSource {
  static final String NOTE =
      "OS collector: not on Linux; rdmerges, wrmerges, cpu_guest, cpu_guest_nice and vm_nr_dirty"
          + " are unknown and written as 0";
  private static final int SECTOR_BYTES = 512;

  private final HardwareAbstractionLayer hardware = new SystemInfo().getHardware();

  @Override
  public MachineCounters take() {
    Map<String, Counters> devices = new HashMap<>();
    for (HWDiskStore disk : hardware.getDiskStores()) {
      devices.put(
          DeviceKind.BLOCK.device(shortName(disk.getName())),
          Counters.of(
              disk.getReads(),
              0,
              disk.getReadBytes() / SECTOR_BYTES,
              disk.getWrites(),
              0,
              disk.getWriteBytes() / SECTOR_BYTES,
              disk.getTransferTime()));
    }
    Set<String> disks = Set.copyOf(devices.keySet());
    for (NetworkIF net : hardware.getNetworkIFs(true)) {
      devices.put(
          DeviceKind.NET.device(net.getName()),
          Counters.of(
              net.getPacketsRecv(), net.getBytesRecv(), net.getPacketsSent(), net.getBytesSent()));
    }
    // The first eight of Linux' columns, in the same order.
    long[] cpu = hardware.getProcessor().getSystemCpuLoadTicks();
    return new MachineCounters(
        System.nanoTime(),
        Counters.of(Arrays.copyOf(cpu, MachineCounters.CPU_COLUMNS)),
        0,
        devices,
        disks);
  }

  /** {@code /dev/disk0} becomes {@code disk0}, {@code \\.\PHYSICALDRIVE0} its last part. */
  private static String shortName(String name) {
    return name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  }

  @Override
  public void close() {}
}
