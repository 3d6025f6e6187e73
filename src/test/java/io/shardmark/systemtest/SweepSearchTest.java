package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the verb {@code sweep} finds with {@code --search}, in real runs of some seconds. */
final class SweepSearchTest {
  @TempDir private Path directory;
  private Workspace workspace;

  @BeforeEach
  void workspace() {
    workspace = new Workspace(directory);
  }

  /**
   * Runs that end by time, as a search wants them: it makes rates of them. Mostly of New-Orders: a
   * run of seconds on a busy machine has few transactions, and one without an order counts for
   * nothing.
   */
  static Map<String, String> timed(Map<String, String> properties) {
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "0.04");
    properties.put("newOrderWeight", "96");
    for (String type : List.of("payment", "orderStatus", "delivery", "stockLevel")) {
      properties.put(type + "Weight", "1");
    }
    return properties;
  }

  /** The most terminals is known: the server takes so many connections and no more. */
  @Test
  void findsTheMostTerminalsAndHoldsAShareOfIt() throws Exception {
    String one = Postgres.bank();
    Map<String, String> properties = Postgres.bankProperties(Postgres.url(one));
    properties.putAll(Map.of("runTxnsPerTerminal", "0", "runMins", "0.04"));
    workspace.properties("props.one", properties);
    // Of these, the observers' count too, and for a moment those that have just been closed.
    Postgres.execute(Postgres.USER, "ALTER DATABASE " + one + " CONNECTION LIMIT 27");

    Finished finished =
        workspace
            .sweep(
                "sweep",
                "props.one",
                "--search",
                "terminals",
                "--from",
                "4",
                "--to",
                "28",
                "--step",
                "12",
                "--hold",
                "30",
                "--settle",
                "0",
                "--no-verify",
                "--output",
                "out")
            .succeeded();

    JsonNode found = workspace.json("out/search.json").at("/databases/0");
    assertThat(found.path("ending").asText()).as(finished.all()).isEqualTo("FOUND");
    int value = found.path("value").asInt();
    assertThat(value).isEqualTo(16);
    for (JsonNode step : found.path("path")) {
      assertThat(step.path("holds").asBoolean())
          .as("%s", step)
          .isEqualTo(step.path("value").asInt() <= value);
    }
    assertThat(finished.out()).contains("one: most terminals " + value, "30 % of that");
    assertThat(Files.readString(directory.resolve("out/search.md")))
        .contains("# Search for the most terminals", "| 30 % held |");
    JsonNode hold = found.path("hold");
    double total = found.at("/throughput/perMinute").asDouble();
    assertThat(hold.path("openLoopTxnsPerMin").asInt()).isEqualTo((int) (total * 30 / 100));
    JsonNode configuration =
        workspace.result("out/" + hold.path("directory").asText()).summary().path("configuration");
    assertThat(configuration.at("/pacing/openLoopTxnsPerMin"))
        .isEqualTo(hold.path("openLoopTxnsPerMin"));
    assertThat(configuration.path("connections").asInt()).isEqualTo(value);
    Postgres.drop(one);
  }

  /** Tiny points: what is found is the greatest value that was allowed, or near it. */
  @Test
  void findsTheHighestTpmc() throws Exception {
    String one = Postgres.loadedDatabase();
    workspace.properties("props.one", timed(Postgres.properties(one)));
    String[] tpmC = {
      "sweep",
      "props.one",
      "--search",
      "tpmC",
      "--to",
      "2",
      "--settle",
      "0",
      "--no-verify",
      "--output",
      "tpmc"
    };
    Finished finished = workspace.sweep(tpmC).succeeded();

    JsonNode found = found("tpmc", finished);
    assertThat(found.path("value").asInt()).isBetween(1, 2);
    double best = 0;
    for (int terminals = 1; terminals <= 2; terminals++) {
      best = Math.max(best, meanTpmC(found.path("path"), terminals));
    }
    assertThat(found.at("/throughput/metrics/tpmC").asDouble())
        .isCloseTo(best, withinPercentage(1e-6));
    assertThat(finished.out()).contains("one: highest tpmC", "70 % of that");
    assertHeld("tpmc", found, 70);
    Postgres.drop(one);
  }

  /** No database: how many warehouses are loaded stands in the file. */
  @Test
  void findsTheMostWarehouses() throws Exception {
    Map<String, String> properties = timed(Postgres.properties("postgres", "null:"));
    properties.put("warehouses", "2");
    workspace.properties("props.one", properties);
    String[] warehouses = {
      "sweep",
      "props.one",
      "--search",
      "warehouses",
      "--settle",
      "0",
      "--output",
      "most",
      "keyingTimeMultiplier",
      "0.01",
      "thinkTimeMultiplier",
      "0.01",
      "connections",
      "4"
    };
    Finished finished = workspace.sweep(warehouses).succeeded();

    JsonNode found = found("most", finished);
    assertThat(found.path("value").asInt()).isEqualTo(2); // as many as are loaded
    assertThat(finished.out()).contains("one: most warehouses 2", "the greatest value");
    JsonNode configuration = assertHeld("most", found, 70);
    assertThat(configuration.path("warehouses").asInt()).isEqualTo(2);
    assertThat(configuration.path("connections").asInt()).isEqualTo(4);
    assertThat(Files.readString(directory.resolve("most/search.md")))
        .contains("| run | warehouses |", "| 70 % held | 2 |");
  }

  private JsonNode found(String output, Finished finished) throws IOException {
    JsonNode found = workspace.json(output + "/search.json").at("/databases/0");
    assertThat(found.path("ending").asText()).as(finished.all()).isEqualTo("FOUND");
    return found;
  }

  /** Of the runs that count; 0 without any. */
  private static double meanTpmC(JsonNode path, int value) {
    double sum = 0;
    int runs = 0;
    for (JsonNode step : path) {
      if (step.path("value").asInt() == value && step.path("holds").asBoolean()) {
        sum += step.at("/figures/metrics/tpmC").asDouble();
        runs++;
      }
    }
    return runs == 0 ? 0 : sum / runs;
  }

  /** A share of the throughput that was found is due by schedule; returns what the run was told. */
  private JsonNode assertHeld(String output, JsonNode found, int percent) throws IOException {
    JsonNode hold = found.path("hold");
    int rate = (int) (found.at("/throughput/perMinute").asDouble() * percent / 100);
    assertThat(hold.path("openLoopTxnsPerMin").asInt()).isEqualTo(rate);
    JsonNode summary =
        workspace.result(output + "/" + hold.path("directory").asText()).assertWhole().summary();
    assertThat(summary.at("/configuration/pacing/openLoopTxnsPerMin").asInt()).isEqualTo(rate);
    // No more than are due, whatever the machine does beside it; one for either end.
    assertThat(summary.at("/rates/transactionCount").asDouble())
        .isBetween(1.0, rate * summary.at("/interval/seconds").asDouble() / 60 * 1.05 + 2);
    return summary.path("configuration");
  }
}
