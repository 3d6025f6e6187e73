package io.shardmark.driver.oscollector;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads Linux' texts of counters. Each line is {@code FILE:TEXT} with a line of one of the files
 * {@code proc/uptime}, {@code proc/stat}, {@code proc/vmstat}, {@code proc/diskstats} and {@code
 * proc/net/dev}, or {@code disks:} and paths {@code sys/block/X/device}. Lines that are not needed
 * may be left out.
 */
final class ProcText {
  private static final int NANOS_DIGITS = 9;
  private static final int MIN_CPU_COLUMNS = 4; // Linux 2.4 had user, nice, system, idle

  private long uptimeNanos;
  private long dirtyPages;
  private long[] cpu = {};
  private final Map<String, Counters> devices = new HashMap<>();
  private final Set<String> disks = new HashSet<>();

  private ProcText() {}

  /**
   * @throws IOException if the processor line is missing or a number is invalid
   */
  static MachineCounters parse(List<String> lines) throws IOException {
    ProcText text = new ProcText();
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon >= 0) {
        text.accept(line.substring(0, colon), line.substring(colon + 1));
      }
    }
    if (text.cpu.length == 0) {
      throw new IOException("no line \"cpu\" of /proc/stat: is it a Linux machine?");
    }
    return new MachineCounters(
        text.uptimeNanos, Counters.of(text.cpu), text.dirtyPages, text.devices, text.disks);
  }

  private void accept(String file, String line) throws IOException {
    try {
      switch (file) {
        case "proc/uptime" -> uptime(line);
        case "proc/stat" -> stat(line);
        case "proc/vmstat" -> vmstat(line);
        case "proc/diskstats" -> diskstats(line);
        case "disks" -> disks(line);
        case "proc/net/dev" -> net(line);
        default -> {
          // a greeting of the remote shell
        }
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new IOException("cannot read the line \"%s\" of %s".formatted(line, file), e);
    }
  }

  private void uptime(String line) {
    uptimeNanos = new BigDecimal(fields(line)[0]).movePointRight(NANOS_DIGITS).longValue();
  }

  /** Older kernels have fewer columns; what they do not know is 0. */
  private void stat(String line) throws IOException {
    if (!line.startsWith("cpu ")) {
      return;
    }
    String[] fields = fields(line);
    if (fields.length - 1 < MIN_CPU_COLUMNS) {
      throw new IOException("too few numbers in the line \"%s\" of /proc/stat".formatted(line));
    }
    long[] known = Arrays.stream(fields).skip(1).mapToLong(Long::parseLong).toArray();
    cpu = Arrays.copyOf(known, MachineCounters.CPU_COLUMNS);
  }

  private void vmstat(String line) {
    if (line.startsWith("nr_dirty ")) {
      dirtyPages = Long.parseLong(fields(line)[1]);
    }
  }

  /**
   * Columns: major, minor, name, reads, merges, sectors, ms, writes, merges, sectors, ms, in
   * progress, busy ms, ...
   */
  private void diskstats(String line) {
    if (line.isBlank()) {
      return;
    }
    String[] fields = fields(line);
    devices.put(DeviceKind.BLOCK.device(fields[2]), counters(fields, 3, 4, 5, 7, 8, 9, 12));
  }

  /** Optical and floppy drives have a device too, but no benchmark writes there. */
  private void disks(String paths) {
    for (String path : fields(paths)) {
      String[] parts = path.split("/", -1);
      if (parts.length == 4 && !parts[2].matches("\\*|(sr|fd)\\d+")) {
        disks.add(DeviceKind.BLOCK.device(parts[2]));
      }
    }
  }

  /** Two heading lines without a colon; then {@code name: 8 receive columns, 8 send columns}. */
  private void net(String line) {
    int colon = line.lastIndexOf(':'); // an alias such as eth0:1 has its own colon
    if (colon < 0) {
      return;
    }
    devices.put(
        DeviceKind.NET.device(line.substring(0, colon).strip()),
        counters(fields(line.substring(colon + 1)), 1, 0, 9, 8));
  }

  private static Counters counters(String[] fields, int... columns) {
    return Counters.of(
        Arrays.stream(columns).mapToLong(column -> Long.parseLong(fields[column])).toArray());
  }

  private static String[] fields(String line) {
    return line.strip().split("\\s+");
  }
}
