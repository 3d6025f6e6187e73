package io.shardmark.driver.recorder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads a CSV file as R's {@code read.csv} does for BenchmarkSQL's scripts, only stricter: every
 * row has every column, the file ends with a line end, and a column that should be of integers is.
 */
final class RFrame {
  private final List<String> columns;
  private final List<List<String>> rows;

  private RFrame(List<String> columns, List<List<String>> rows) {
    this.columns = columns;
    this.rows = rows;
  }

  static RFrame read(Path file) throws IOException {
    String text = Files.readString(file, StandardCharsets.US_ASCII);
    if (!text.endsWith("\n") || text.indexOf('\r') >= 0 || text.indexOf('"') >= 0) {
      throw new IOException(file + " is not whole lines without quotes and carriage returns");
    }
    List<List<String>> lines =
        text.lines().map(line -> List.of(line.split(",", -1))).collect(Collectors.toList());
    List<String> header = lines.remove(0);
    for (List<String> line : lines) {
      if (line.size() != header.size()) {
        throw new IOException("%d columns expected in %s".formatted(header.size(), line));
      }
    }
    return new RFrame(header, lines);
  }

  List<String> columns() {
    return columns;
  }

  int size() {
    return rows.size();
  }

  List<String> texts(String column) {
    int index = columns.indexOf(column);
    return rows.stream().map(row -> row.get(index)).toList();
  }

  /** Fails on anything but 32-bit integers, which is what R's {@code integer} holds. */
  List<Integer> integers(String column) {
    return texts(column).stream().map(Integer::valueOf).toList();
  }

  List<Double> doubles(String column) {
    return texts(column).stream().map(Double::valueOf).toList();
  }

  /** How many rows each value of a column has. */
  Map<String, Long> table(String column) {
    return texts(column).stream()
        .collect(Collectors.groupingBy(value -> value, TreeMap::new, Collectors.counting()));
  }
}
