package io.shardmark.driver.selfcheck;

import io.shardmark.driver.processes.ProcessStat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import oshi.SystemInfo;
import oshi.software.os.OSProcess;

/**
 * The kernel's view of this process.
 *
 * @param systemCpuNanos system time so far
 * @param residentBytes memory at present
 * @param switchesOfThread context switches so far by thread id
 */
record ProcessStatus(long systemCpuNanos, long residentBytes, Map<String, Long> switchesOfThread) {
  private static final Path SELF = Path.of("/proc/self");
  private static final long BYTES_PER_KB = 1024;

  static ProcessStatus read() {
    if (Files.isReadable(SELF.resolve("stat"))) {
      try {
        return new ProcessStatus(
            ProcessStat.parse(Files.readString(SELF.resolve("stat"), StandardCharsets.ISO_8859_1))
                .own()
                .system(),
            readResidentBytes(),
            switches());
      } catch (IOException e) {
        return new ProcessStatus(0, 0, Map.of()); // hidden by the container: not known
      }
    }
    OSProcess process = new SystemInfo().getOperatingSystem().getCurrentProcess();
    return new ProcessStatus(
        process.getKernelTime() * 1_000_000, process.getResidentMemory(), Map.of());
  }

  /** Memory of the process at present; 0 if the platform does not tell. */
  static long readResidentBytes() {
    if (Files.isReadable(SELF.resolve("status"))) {
      try {
        return number(Files.readAllLines(SELF.resolve("status")), "VmRSS:") * BYTES_PER_KB;
      } catch (IOException e) {
        return 0; // hidden by the container
      }
    }
    return new SystemInfo().getOperatingSystem().getCurrentProcess().getResidentMemory();
  }

  private static Map<String, Long> switches() throws IOException {
    Map<String, Long> switches = new HashMap<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(SELF.resolve("task"))) {
      for (Path thread : threads) {
        try {
          List<String> lines = Files.readAllLines(thread.resolve("status"));
          switches.put(
              thread.getFileName().toString(),
              number(lines, "voluntary_ctxt_switches:")
                  + number(lines, "nonvoluntary_ctxt_switches:"));
        } catch (IOException e) {
          // The thread ended between the listing and the reading.
        }
      }
    }
    return switches;
  }

  static long number(List<String> lines, String key) {
    for (String line : lines) {
      if (line.startsWith(key)) {
        return Long.parseLong(line.substring(key.length()).replace("kB", "").strip());
      }
    }
    return 0;
  }
}
