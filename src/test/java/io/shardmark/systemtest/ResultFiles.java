package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The result directory of a run, read strictly.
 *
 * @param directory its root
 */
record ResultFiles(Path directory) {
  private static final List<String> CSV_FILES =
      List.of(
          "runInfo.csv",
          "result.csv",
          "tx_summary.csv",
          "per_second.csv",
          "errors.csv",
          "client.csv");

  /** All files are there, and every row of every table has as many fields as its header. */
  ResultFiles assertWhole() throws IOException {
    assertThat(directory.resolve("run.properties")).isNotEmptyFile();
    summary();
    for (String name : CSV_FILES) {
      assertThat(directory.resolve("data").resolve(name)).isNotEmptyFile();
    }
    assertTablesWhole();
    return this;
  }

  /** No file ends in the middle of a row, none is a leftover. */
  ResultFiles assertTablesWhole() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(file.toString()).doesNotEndWith(".tmp");
        if (file.toString().endsWith(".csv")) {
          rows(file);
        }
      }
    }
    return this;
  }

  /** Rows of a table, without its header. */
  List<String[]> rows(String name) throws IOException {
    return rows(directory.resolve("data").resolve(name));
  }

  private static List<String[]> rows(Path file) throws IOException {
    String text = Files.readString(file, StandardCharsets.UTF_8);
    assertThat(text).as("%s ends its last line", file).endsWith("\n");
    List<String> lines = text.lines().toList();
    int fields = lines.get(0).split(",", -1).length;
    List<String[]> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] row = line.split(",", -1);
      assertThat(row).as("fields of \"%s\" in %s", line, file).hasSize(fields);
      rows.add(row);
    }
    return rows;
  }

  JsonNode summary() throws IOException {
    JsonNode summary = new ObjectMapper().readTree(directory.resolve("summary.json").toFile());
    assertThat(summary.path("schema").asText()).isEqualTo("shardmark-summary");
    return summary;
  }

  String ending() throws IOException {
    return summary().at("/run/ending").asText();
  }

  /** Committed transactions of a type in the measurement interval. */
  long committed(String type) throws IOException {
    for (JsonNode node : summary().path("types")) {
      if (node.path("name").asText().equals(type)) {
        return node.path("committed").asLong();
      }
    }
    throw new AssertionError("no type " + type);
  }

  /** Transactions before and after the measurement interval. */
  long outside() throws IOException {
    return summary().at("/interval/transactionsOutside").asLong();
  }

  /** Failed transactions of a type, or of all types if it is empty. */
  long errors(String type) throws IOException {
    long sum = 0;
    for (JsonNode node : summary().path("types")) {
      if (type.isEmpty() || node.path("name").asText().equals(type)) {
        sum += node.path("errors").asLong();
      }
    }
    return sum;
  }
}
