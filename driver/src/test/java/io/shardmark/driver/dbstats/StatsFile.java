package io.shardmark.driver.dbstats;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The file as the collector writes it. */
final class StatsFile {
  private StatsFile() {}

  static List<String> lines(Path directory) throws IOException {
    return Files.readAllLines(directory.resolve("db_stats.csv"));
  }

  /** Returns when the file has so many lines, the header among them. */
  static void awaitLines(Path directory, int count) {
    await("line " + count)
        .atMost(Duration.ofMinutes(4))
        .ignoreExceptionsInstanceOf(NoSuchFileException.class)
        .until(() -> lines(directory).size() >= count);
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
