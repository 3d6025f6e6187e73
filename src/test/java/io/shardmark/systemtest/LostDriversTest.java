package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes of driver.jar as one run, of which one is killed. */
final class LostDriversTest {
  @TempDir private Path directory;
  @AutoClose private final DriverGroup drivers = new DriverGroup();
  private Workspace workspace;

  @BeforeEach
  void workspace() {
    workspace = new Workspace(directory);
  }

  @Test
  void oneKilledBeforeTheStartEndsAll() throws Exception {
    workspace.properties(DriverGroup.properties("10"));
    DriverProcess first = drivers.start(workspace, 0);
    DriverProcess second = drivers.start(workspace, 1);
    first.awaitOutput("has joined: 2 of 3");
    second.signal("KILL");

    first.await().failedWithOneLine(1, "driver 1 (", "was lost before the start");
    workspace.assertNoDirectories();
  }

  @Test
  void oneKilledDuringTheRunLeavesAMarkedResult() throws Exception {
    workspace.properties(DriverGroup.properties("10"));
    List<DriverProcess> all = drivers.startAll(workspace);
    all.get(1).awaitOutput("Running Average");
    all.get(1).signal("KILL");
    all.get(0).awaitOutput("The others go on");
    all.get(0).awaitNewOutput("Running Average");
    all.get(2).signal("INT");

    Finished first = all.get(0).await().withoutTrace();
    assertThat(first.status()).as(first.all()).isEqualTo(1);
    assertThat(first.out()).contains("INCOMPLETE", "LOST: ");
    assertThat(all.get(2).await().withoutTrace().status()).isEqualTo(130);
    JsonNode summary = workspace.result("result").assertTablesWhole().summary();
    assertThat(summary.at("/run/ending").asText()).isEqualTo("incomplete");
    assertThat(summary.at("/interval/seconds"))
        .isEqualTo(workspace.result("result/drivers/2").summary().at("/interval/seconds"));
    assertThat(summary.at("/drivers/lost/0/from").asInt()).isEqualTo(2);
    assertThat(summary.at("/drivers/list").findValuesAsText("index")).containsExactly("0", "2");
    assertThat(Files.readString(directory.resolve("result/report.html")))
        .contains("INCOMPLETE: the results of driver 1 (warehouses 2 to 2) are missing");
    workspace.verify().succeeded();
  }

  /** Of a benchmark whose drivers all work on all rows: what the dead one has committed stays. */
  @Test
  void withoutDriverZeroTheOthersKeepWhatCanBeMerged() throws Exception {
    String bank = Postgres.bank();
    Map<String, String> properties = Postgres.bankProperties(Postgres.url(bank));
    properties.putAll(Map.of("terminals", "7", "runTxnsPerTerminal", "0", "runMins", "10"));
    properties.putAll(Map.of("limitTxnsPerMin", "2100", "drivers", "" + DriverGroup.SIZE));
    workspace.properties(properties);
    List<DriverProcess> all = drivers.startAll(workspace);
    all.get(0).awaitOutput("Running Average");
    all.get(0).signal("KILL");
    all.get(1).awaitOutput("The others go on");
    all.get(2).awaitOutput("The others go on");
    all.get(1).signal("INT");

    for (DriverProcess process : all.subList(1, DriverGroup.SIZE)) {
      Finished finished = process.await().withoutTrace();
      assertThat(finished.status()).as(finished.all()).isEqualTo(process == all.get(1) ? 130 : 1);
      assertThat(finished.out()).contains("driver.jar merge ");
    }
    Finished merge = workspace.run("merge", "result");
    assertThat(merge.status()).as(merge.all()).isEqualTo(1);
    assertThat(merge.err()).contains("driver 0 is missing from the result");
    JsonNode summary = workspace.result("result").summary();
    assertThat(summary.at("/run/ending").asText()).isEqualTo("incomplete");
    assertThat(summary.at("/metrics/0/name").asText()).isEqualTo("tps");
    assertThat(summary.at("/metrics/0/value").asDouble()).isPositive();
    assertThat(workspace.verify().succeeded().out()).contains(" 0 fail,");
    Postgres.drop(bank);
  }
}
