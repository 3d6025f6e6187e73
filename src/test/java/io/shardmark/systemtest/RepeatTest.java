package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.systemtest.DriverProcess.Finished;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands of published tests, each with one row of its source's tables. */
final class RepeatTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          klustron  | 20 | warehouses 1         | 50 warehouses                           | 20 +12,766 +\\d
          infinisql | 2  | rowsPerTable 1000    | Maximum throughput as nodes increase    | 2 +109,400 +\\d
          replication | Onload | tables 1      | Figure 6: AT-P26-Replication            | Onload +82,974 +[\\d,]+ +55,776 +[\\d,]+
          sysbench  | 1  | tables 1 tableSize 1000 | Servers apart, ranges of 10 rows        | 1 +[\\d,.]+ +[\\d,.]+
          """)
  void ownFiguresStandInTheSourcesTable(
      String test, String row, String sizes, String table, String line) throws Exception {
    Workspace workspace = new Workspace(directory);
    List<String> words =
        new ArrayList<>(List.of("repeat", test, "--rows", row, "--output", "mine"));
    words.addAll(List.of(("runMins 0.03 " + sizes).split(" ", -1)));

    Finished finished = workspace.sweep(words.toArray(String[]::new));

    if (finished.all().contains("links cannot be shaped: ")) {
      finished.failedWithOneLine(1, "run as root on Linux with iproute2"); // what users see there
      return;
    }
    finished.succeeded();
    assertThat(finished.out()).contains(table).containsPattern("(?m)^" + line);
    assertThat(workspace.json("mine/repeat.json").path("tables").path(0).path("rows").size())
        .isGreaterThan(1);
  }
}
