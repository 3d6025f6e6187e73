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
  private static final int BUSY_COLUMN = 12;
  private static final int CPU_COLUMNS = 10;
  private static final int MIN_CPU_COLUMNS = 4; // Linux 2.4 had user, nice, system, idle

  private long uptimeNanos;
  private long dirtyPages;
  private long[] cpu = {};
  private final Map<String, BlockCounters> blocks = new HashMap<>();
  private final Set<String> disks = new HashSet<>();
  private final Map<String, NetCounters> nets = new HashMap<>();

  private ProcText() {}

  /**
   * @throws IOException if the processor line is missing or a number is none
   */
  static SystemSnapshot parse(List<String> lines) throws IOException {
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
    return new SystemSnapshot(
        text.uptimeNanos,
        CpuTicks.of(text.cpu),
        text.dirtyPages,
        text.blocks,
        text.disks,
        text.nets);
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
    cpu = Arrays.stream(fields).skip(1).limit(CPU_COLUMNS).mapToLong(Long::parseLong).toArray();
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
    String[] f = fields(line);
    blocks.put(
        f[2],
        new BlockCounters(
            Long.parseLong(f[3]),
            Long.parseLong(f[4]),
            Long.parseLong(f[5]),
            Long.parseLong(f[7]),
            Long.parseLong(f[8]),
            Long.parseLong(f[9]),
            f.length > BUSY_COLUMN ? Long.parseLong(f[BUSY_COLUMN]) : 0));
  }

  /** Optical and floppy drives have a device too, but no benchmark writes there. */
  private void disks(String paths) {
    for (String path : fields(paths)) {
      String[] parts = path.split("/", -1);
      if (parts.length == 4 && !parts[2].matches("\\*|(sr|fd)\\d+")) {
        disks.add(parts[2]);
      }
    }
  }

  /** Two heading lines without a colon; then {@code name: 8 receive columns, 8 send columns}. */
  private void net(String line) {
    int colon = line.lastIndexOf(':'); // an alias such as eth0:1 has a colon of its own
    if (colon < 0) {
      return;
    }
    String[] f = fields(line.substring(colon + 1));
    nets.put(
        line.substring(0, colon).strip(),
        new NetCounters(
            Long.parseLong(f[1]),
            Long.parseLong(f[0]),
            Long.parseLong(f[9]),
            Long.parseLong(f[8])));
  }

  private static String[] fields(String line) {
    return line.strip().split("\\s+");
  }
}
