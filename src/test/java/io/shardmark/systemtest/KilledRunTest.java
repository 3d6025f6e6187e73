package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that nobody asked whether it was done. */
final class KilledRunTest {
  /** A second in which a New-Order was committed, in a line that is whole. */
  private static final String AN_ORDER = "(?s).*,NEW_ORDER,\\d+,[1-9]\\d*,.*";

  private static final String A_FAILURE = "(?s).*,SERIALIZATION_FAILURE,40001,.*";

  @TempDir private Path directory;

  @Test
  void aKilledRunLeavesWholeFilesAndAReportOfWhatIsThere() throws Exception {
    String database = Postgres.loadedDatabase();
    Map<String, String> properties = Postgres.properties(database);
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "10");
    properties.put("terminals", "8");
    // On one warehouse these fail in every second.
    properties.put("isolation", "serializable");
    properties.put("retries", "1");
    Workspace workspace = new Workspace(directory).properties(properties);
    try (DriverProcess process = workspace.start("run", Workspace.PROPERTIES)) {
      process.awaitOutput("Running Average");
      awaitFiles(directory.resolve("result/data"));
      process.signal("KILL");
      assertThat(process.await().status()).isEqualTo(128 + 9);
    }
    Path result = directory.resolve("result");
    assertThat(result.resolve("summary.json")).doesNotExist();
    workspace.result("result").assertTablesWhole();
    long errors =
        workspace.result("result").rows("errors.csv").stream()
            .mapToLong(row -> Long.parseLong(row[5]))
            .sum();
    assertThat(errors).isPositive();

    Finished finished = workspace.run("report", "result").succeeded().withoutTrace();
    assertThat(finished.out()).contains("report.html ... OK");
    String page = Files.readString(result.resolve("report.html"));
    page = page.substring(page.indexOf(" id=\"page\">"), page.indexOf("</script>"));
    assertThat(page)
        .contains("did not come to its end", "The run was cut short: its files cover")
        .contains("summary.json is not there, as after a run that was killed")
        .contains(
            "\"id\":\"chart-throughput\"", "\"id\":\"chart-latency\"", "\"id\":\"chart-curve\"")
        .contains("\"id\":\"chart-error-classes\"", "SERIALIZATION_FAILURE 40001")
        .contains(
            "\"id\":\"chart-client-cpu\"",
            "\"id\":\"chart-client-gc\"",
            "\"id\":\"chart-client-memory\"")
        .contains("\"name\":\"tpmC\"")
        .doesNotContain("\"value\":\"0.00\"");
    assertThat(page).doesNotContain(Postgres.PASSWORD);
    workspace.run("verify", Workspace.PROPERTIES).succeeded();
    Postgres.drop(database);
  }

  /** Waits until the files tell about four seconds of run and driver, an order and a failure. */
  private static void awaitFiles(Path data) {
    await("rows in the files")
        .atMost(DriverProcess.PATIENCE)
        .until(
            () ->
                lines(data, "per_second.csv") >= 1 + 6 * 4
                    && lines(data, "client.csv") >= 1 + 4
                    && Files.readString(data.resolve("errors.csv")).matches(A_FAILURE)
                    && Files.readString(data.resolve("per_second.csv")).matches(AN_ORDER));
  }

  private static long lines(Path data, String file) throws IOException {
    try (Stream<String> lines = Files.lines(data.resolve(file))) {
      return lines.count();
    }
  }
}
