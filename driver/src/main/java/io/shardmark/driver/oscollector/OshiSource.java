package io.shardmark.driver.oscollector;

import java.util.HashMap;
import java.util.Map;
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
  public SystemSnapshot take() {
    Map<String, BlockCounters> blocks = new HashMap<>();
    for (HWDiskStore disk : hardware.getDiskStores()) {
      blocks.put(
          shortName(disk.getName()),
          new BlockCounters(
              disk.getReads(),
              0,
              disk.getReadBytes() / SECTOR_BYTES,
              disk.getWrites(),
              0,
              disk.getWriteBytes() / SECTOR_BYTES,
              disk.getTransferTime()));
    }
    Map<String, NetCounters> nets = new HashMap<>();
    for (NetworkIF net : hardware.getNetworkIFs(true)) {
      nets.put(
          net.getName(),
          new NetCounters(
              net.getPacketsRecv(), net.getBytesRecv(), net.getPacketsSent(), net.getBytesSent()));
    }
    // The first eight of Linux' columns, in the same order.
    CpuTicks cpu = CpuTicks.of(hardware.getProcessor().getSystemCpuLoadTicks());
    return new SystemSnapshot(System.nanoTime(), cpu, 0, blocks, blocks.keySet(), nets);
  }

  /** {@code /dev/disk0} becomes {@code disk0}, {@code \\.\PHYSICALDRIVE0} its last part. */
  private static String shortName(String name) {
    return name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  }

  @Override
  public void close() {}
}
