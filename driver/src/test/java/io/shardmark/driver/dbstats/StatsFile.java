package io.shardmark.driver.dbstats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The file as the collector writes it. */
final class StatsFile {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(4);

  private StatsFile() {}

  static List<String> lines(Path directory) throws IOException {
    return Files.readAllLines(directory.resolve("db_stats.csv"));
  }

  /** Returns when the file has so many lines, the header among them. */
  static void awaitLines(Path directory, int count) throws IOException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (lines(directory).size() < count) {
      assertThat(System.nanoTime()).as("time to wait for line " + count).isLessThan(end);
      LockSupport.parkNanos(5_000_000); // a file tells nobody that it grew
    }
  }

  static long sumOfColumn(Path directory, String name) throws IOException {
    List<String> lines = lines(directory);
    int column = List.of(lines.get(0).split(",", -1)).indexOf(name);
    return lines.stream()
        .skip(1)
        .mapToLong(line -> Long.parseLong(line.split(",", -1)[column]))
        .sum();
  }
}
