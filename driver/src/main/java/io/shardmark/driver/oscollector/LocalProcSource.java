package io.shardmark.driver.oscollector;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** This machine, when it is Linux: a handful of small files, read afresh each time. */
final class LocalProcSource implements SnapshotSource {
  private final Path root;

  /**
   * @param root the directory that holds {@code proc} and {@code sys}
   */
  LocalProcSource(Path root) {
    this.root = root;
  }

  @Override
  public SystemSnapshot take() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("@stat");
    lines.addAll(read("proc/stat"));
    lines.add("@vmstat");
    lines.addAll(readIfPresent("proc/vmstat"));
    lines.add("@diskstats");
    lines.addAll(readIfPresent("proc/diskstats"));
    lines.add("@disks");
    lines.addAll(disks());
    lines.add("@net");
    lines.addAll(readIfPresent("proc/net/dev"));
    // finer than /proc/uptime, which has hundredths of a second
    lines.add("@uptime");
    lines.add(BigDecimal.valueOf(System.nanoTime(), 9).toPlainString());
    return ProcText.parse(lines);
  }

  private List<String> read(String file) throws IOException {
    return Files.readAllLines(root.resolve(file), StandardCharsets.ISO_8859_1);
  }

  /** Containers may hide a file; its columns are 0 or its devices unknown then. */
  private List<String> readIfPresent(String file) throws IOException {
    try {
      return read(file);
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private List<String> disks() throws IOException {
    List<String> paths = new ArrayList<>();
    try (DirectoryStream<Path> blocks = Files.newDirectoryStream(root.resolve("sys/block"))) {
      for (Path block : blocks) {
        if (Files.exists(block.resolve("device"))) {
          paths.add("/sys/block/" + block.getFileName() + "/device");
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    }
    return paths;
  }

  @Override
  public void close() {}
}
