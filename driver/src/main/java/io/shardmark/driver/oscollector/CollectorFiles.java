package io.shardmark.driver.oscollector;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The CSV files of one run; each row is on its way to the disk when it is written. One thread. */
final class CollectorFiles implements AutoCloseable {
  private final int run;
  private final Path directory;
  private final Writer sysInfo;
  private final Map<String, Writer> devices = new LinkedHashMap<>();

  CollectorFiles(int run, Path directory) throws IOException {
    this.run = run;
    this.directory = directory;
    this.sysInfo = create("sys_info", CollectorRow.SYS_INFO_HEADER);
  }

  private Writer create(String name, String header) throws IOException {
    Writer writer =
        Files.newBufferedWriter(directory.resolve(name + ".csv"), StandardCharsets.US_ASCII);
    line(writer, header);
    return writer;
  }

  private static void line(Writer writer, String text) throws IOException {
    writer.write(text);
    writer.write('\n');
    writer.flush();
  }

  void open(DeviceSelection selection) throws IOException {
    for (String device : selection.known()) {
      boolean block = device.startsWith(DeviceSelection.BLOCK);
      devices.put(
          device, create(device, block ? CollectorRow.BLOCK_HEADER : CollectorRow.NET_HEADER));
    }
  }

  /** One row in each file; a device that is gone from the snapshots has no row. */
  void write(long elapsedMillis, SystemSnapshot from, SystemSnapshot to) throws IOException {
    line(sysInfo, CollectorRow.sysInfo(run, elapsedMillis, from, to));
    long nanos = to.uptimeNanos() - from.uptimeNanos();
    for (Map.Entry<String, Writer> entry : devices.entrySet()) {
      String device = entry.getKey();
      String name = device.substring(DeviceSelection.BLOCK.length());
      if (device.startsWith(DeviceSelection.BLOCK)) {
        BlockCounters before = from.blocks().get(name);
        BlockCounters after = to.blocks().get(name);
        if (before != null && after != null) {
          line(
              entry.getValue(),
              CollectorRow.block(run, elapsedMillis, device, nanos, before, after));
        }
      } else {
        NetCounters before = from.nets().get(name);
        NetCounters after = to.nets().get(name);
        if (before != null && after != null) {
          line(
              entry.getValue(), CollectorRow.net(run, elapsedMillis, device, nanos, before, after));
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (sysInfo) {
      for (Writer writer : devices.values()) {
        writer.close();
      }
    }
  }
}
