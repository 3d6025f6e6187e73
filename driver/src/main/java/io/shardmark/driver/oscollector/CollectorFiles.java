package io.shardmark.driver.oscollector;

import io.shardmark.driver.recorder.RowFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The CSV files of one run; each row is on its way to the disk when it is written. One thread. */
final class CollectorFiles implements AutoCloseable {
  private final int run;
  private final Path directory;
  private final String suffix;
  private final RowFile sysInfo;
  private final Map<String, RowFile> devices = new LinkedHashMap<>();

  /**
   * @param suffix of all names
   */
  CollectorFiles(int run, Path directory, String suffix) throws IOException {
    this.run = run;
    this.directory = directory;
    this.suffix = suffix;
    this.sysInfo = create("sys_info", CollectorRow.SYS_INFO_HEADER);
  }

  private RowFile create(String name, String header) throws IOException {
    return RowFile.create(directory.resolve(name + suffix + ".csv"), header);
  }

  void open(List<String> names) throws IOException {
    for (String device : names) {
      devices.put(device, create(device, DeviceKind.of(device).header()));
    }
  }

  /** One row in each file; a device that is gone from the counters has no row. */
  void write(long elapsedMillis, MachineCounters did) throws IOException {
    row(sysInfo, elapsedMillis, CollectorRow.sysInfo(did));
    for (Map.Entry<String, RowFile> file : devices.entrySet()) {
      Counters counted = did.devices().get(file.getKey());
      if (counted != null) {
        row(
            file.getValue(),
            elapsedMillis,
            CollectorRow.device(file.getKey(), did.nanos(), counted));
      }
    }
  }

  private void row(RowFile file, long elapsedMillis, String rest) throws IOException {
    file.number(run).comma().number(elapsedMillis).comma().text(rest).endRow();
    file.flush();
  }

  @Override
  public void close() throws IOException {
    try (sysInfo) {
      for (RowFile file : devices.values()) {
        file.close();
      }
    }
  }
}
