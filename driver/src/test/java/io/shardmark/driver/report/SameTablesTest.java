package io.shardmark.driver.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardmark.driver.results.reader.ResultReader;
import io.shardmark.driver.results.reader.SampleDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same transactions as our driver and as BenchmarkSQL would have written them: the pages of
 * both directories have the same tables, one after the other. What only ours has files for is not
 * on the other page.
 */
final class SameTablesTest {
  /** Of a histogram of three digits and of rows in whole milliseconds. */
  private static final double HISTOGRAM_STEP = 0.001;

  @TempDir private Path temporary;

  @SuppressWarnings("NullAway.Init") // set before each test
  private JsonNode ours;

  @SuppressWarnings("NullAway.Init") // set before each test
  private JsonNode theirs;

  @BeforeEach
  void writeBothPages() throws IOException {
    Path root = SampleDirectories.oursInWholeMilliseconds(temporary);
    ours = page(root);
    theirs =
        page(
            SampleDirectories.benchmarkSql(
                temporary, Files.readString(root.resolve("data/result.csv"))));
  }

  private static JsonNode page(Path directory) throws IOException {
    return PageJson.of(Files.readString(HtmlReport.write(ResultReader.read(directory), directory)));
  }

  /** Rows of cells by "section/caption", the first with the columns' names. */
  private static Map<String, List<List<String>>> tables(JsonNode page) {
    Map<String, List<List<String>>> tables = new LinkedHashMap<>();
    for (JsonNode section : page.path("sections")) {
      for (JsonNode block : section.path("blocks")) {
        if (block.path("block").asText().equals("Table")) {
          String caption = block.path("caption").asText();
          tables.put(section.path("id").asText() + "/" + caption, rows(block));
        }
      }
    }
    return tables;
  }

  private static List<List<String>> rows(JsonNode table) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(table.path("columns").findValuesAsText("name"));
    for (JsonNode row : table.path("rows")) {
      List<String> cells = new ArrayList<>();
      // One that is graded is its text and its grade.
      row.path("cells").forEach(cell -> cells.add((cell.isArray() ? cell.get(0) : cell).asText()));
      rows.add(cells);
    }
    return rows;
  }

  private static Map<String, JsonNode> charts(JsonNode page) {
    Map<String, JsonNode> charts = new LinkedHashMap<>();
    for (JsonNode section : page.path("sections")) {
      for (JsonNode block : section.path("blocks")) {
        if (block.path("block").asText().equals("Chart")) {
          charts.put(block.path("id").asText(), block.path("spec"));
        }
      }
    }
    return charts;
  }

  private static <V> V of(Map<String, V> map, String key) {
    return Objects.requireNonNull(map.get(key), () -> key + " is not among " + map.keySet());
  }

  @Test
  void theOtherPageHasTheseTables() {
    assertThat(tables(theirs).keySet())
        .containsExactly("latency/", "waits/From sent to end, by type, in ms", "summary/");
    assertThat(tables(ours).keySet())
        .contains("latency/", "waits/From sent to end, by type, in ms", "summary/");
  }

  @Test
  void theResultSummaryIsTheSameToTheLetter() {
    List<List<String>> summary = of(tables(ours), "summary/");
    assertThat(summary).hasSize(7);
    assertThat(summary.get(3)).as("a type that never occurred").contains("ORDER_STATUS", "0");
    assertThat(of(tables(theirs), "summary/")).isEqualTo(summary);
    String sentence = "Overall tpmC 1,000.00, overall tpmTotal 1,800.00.";
    assertThat(ours.toString()).contains(sentence);
    assertThat(theirs.toString()).contains(sentence);
  }

  @Test
  void responseTimesAreTheSameWithinTheHistogramsStep() {
    List<List<String>> mine = of(tables(ours), "latency/");
    List<List<String>> types =
        mine.stream().takeWhile(row -> !row.get(0).equals("all counted")).toList();
    assertThat(types).hasSizeLessThan(mine.size());
    assertSameFigures(types, of(tables(theirs), "latency/"));
    assertThat(types).extracting(row -> row.get(row.size() - 1)).contains("met", "did not occur");
  }

  @Test
  void sentTimesAreTheSameWithinTheHistogramsStep() {
    List<List<String>> mine = of(tables(ours), "waits/From sent to end, by type, in ms");
    assertSameFigures(mine, of(tables(theirs), "waits/From sent to end, by type, in ms"));
  }

  private static void assertSameFigures(List<List<String>> mine, List<List<String>> other) {
    assertThat(other).hasSameSizeAs(mine);
    for (int row = 0; row < mine.size(); row++) {
      assertThat(other.get(row)).hasSameSizeAs(mine.get(row));
      for (int column = 0; column < mine.get(row).size(); column++) {
        assertSameFigure(mine.get(row).get(column), other.get(row).get(column));
      }
    }
  }

  private static void assertSameFigure(String mine, String other) {
    String digits = "[\\d,]+\\.?\\d*( ms| s)?";
    if (!mine.matches(digits) || !other.matches(digits)) {
      assertThat(other).isEqualTo(mine);
      return;
    }
    double expected = Double.parseDouble(mine.replaceAll("[^\\d.]", ""));
    double found = Double.parseDouble(other.replaceAll("[^\\d.]", ""));
    assertThat(found).isCloseTo(expected, within(expected * 2 * HISTOGRAM_STEP));
  }

  @Test
  void throughputOverTimeIsTheSame() {
    JsonNode chart = of(charts(ours), "chart-throughput");
    assertThat(chart.at("/views/0/series/0/values")).hasSize(60);
    assertThat(of(charts(theirs), "chart-throughput")).isEqualTo(chart);
  }

  @Test
  void meanLatenciesOverTimeAreTheSame() {
    JsonNode mine = of(charts(ours), "chart-latency").at("/views/0");
    JsonNode other = of(charts(theirs), "chart-latency").at("/views/0");
    assertThat(mine.path("name").asText()).isEqualTo("mean");
    int compared = 0;
    for (JsonNode line : mine.path("series")) {
      for (JsonNode same : other.path("series")) {
        if (same.path("name").equals(line.path("name"))) {
          assertThat(same.path("values")).isEqualTo(line.path("values"));
          compared++;
        }
      }
    }
    assertThat(compared).isEqualTo(5);
  }
}
