package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes of driver.jar as one run, against one PostgreSQL. */
final class SeveralDriversTest {
  private static final String PROPS = Workspace.PROPERTIES;
  private static final int DRIVERS = 3;

  @SuppressWarnings("NullAway.Init") // before the first test
  private static String database;

  @TempDir private Path directory;
  private final List<DriverProcess> processes = new ArrayList<>();

  @BeforeAll
  static void load(@TempDir Path temporary) throws Exception {
    database = Postgres.newDatabase();
    Map<String, String> properties = Postgres.properties(database);
    properties.put("warehouses", "3");
    new Workspace(temporary).properties(properties).run("build", PROPS).succeeded();
  }

  @AfterAll
  static void drop() throws Exception {
    Postgres.drop(database);
  }

  @AfterEach
  void endAll() {
    processes.forEach(DriverProcess::close);
  }

  /** One file for all drivers, of a run that is paced so that it leaves the machine some air. */
  private Workspace workspace(String runMins) throws IOException {
    Map<String, String> properties = Postgres.properties(database);
    properties.put("warehouses", "3");
    properties.put("terminals", "7");
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", runMins);
    properties.put("limitTxnsPerMin", "2100");
    properties.put("resultDirectory", "result");
    properties.put("drivers", Integer.toString(DRIVERS));
    return new Workspace(directory).properties(properties);
  }

  private DriverProcess start(Workspace workspace, int index, String... overrides)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("run", PROPS, "driverIndex", "" + index));
    arguments.addAll(List.of(overrides));
    DriverProcess process = workspace.start(arguments.toArray(String[]::new));
    processes.add(process);
    return process;
  }

  private List<DriverProcess> startAll(Workspace workspace) throws IOException {
    List<DriverProcess> all = new ArrayList<>();
    for (int index = 0; index < DRIVERS; index++) {
      all.add(start(workspace, index));
    }
    return all;
  }

  private ResultFiles result(String name) {
    return new ResultFiles(directory.resolve(name));
  }

  @Test
  void makeOneResult() throws Exception {
    Workspace workspace = workspace("0.1");
    List<DriverProcess> all =
        List.of(start(workspace, 0), start(workspace, 1), byJobIndex(workspace, 2));
    for (DriverProcess process : all) {
      process.await().succeeded().withoutTrace();
    }
    ResultFiles merged = result("result").assertWhole();
    List<ResultFiles> parts =
        List.of(result("result/drivers/0"), result("result/drivers/1"), result("result/drivers/2"));

    assertThat(merged.ending()).isEqualTo("completed");
    assertSums(merged, parts);
    assertRows(merged);
    assertDrivers(merged.summary().path("drivers"));
    assertClients(merged);
    assertThat(Files.readString(directory.resolve("result/report.html"))).contains("The drivers");
    assertThat(merged.rows("runInfo.csv").get(0)).contains("7");
    workspace.assertNowhere(Postgres.PASSWORD);
    workspace.run("verify", PROPS).succeeded();
  }

  /** As in a pod of an Indexed Job. */
  private DriverProcess byJobIndex(Workspace workspace, int index) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
    DriverProcess process =
        workspace.startCommand(
            List.of(java, "-jar", Workspace.jar().toString(), "run", PROPS),
            Map.of("JOB_COMPLETION_INDEX", Integer.toString(index)));
    processes.add(process);
    return process;
  }

  /** The rate of all is that of the sum, over the interval that each of them had. */
  private static void assertSums(ResultFiles merged, List<ResultFiles> parts) throws IOException {
    long headline = 0;
    long rows = 0;
    double seconds = merged.summary().at("/interval/seconds").asDouble();
    for (ResultFiles part : parts) {
      JsonNode summary = part.summary();
      assertThat(summary.at("/interval/seconds").asDouble()).isEqualTo(seconds);
      assertThat(summary.at("/drivers/merged").asBoolean(true)).isFalse();
      assertThat(summary.at("/rates/headlineCount").asLong()).isPositive();
      headline += summary.at("/rates/headlineCount").asLong();
      rows += part.rows("result.csv").size();
    }
    assertThat(seconds).isEqualTo(6);
    assertThat(merged.summary().at("/rates/headlineCount").asLong()).isEqualTo(headline);
    assertThat(merged.summary().at("/rates/tpmC").asDouble())
        .isEqualTo(headline * 10.0); // in 6 s, and no more digits to cut
    assertThat(merged.rows("result.csv")).hasSize((int) rows);
    long perSecond = 0;
    for (String[] row : merged.rows("per_second.csv")) {
      perSecond += Long.parseLong(row[3]);
    }
    assertThat(perSecond).isEqualTo(rows);
  }

  /** The merged percentiles are those of all rows, as far as whole milliseconds tell. */
  private static void assertRows(ResultFiles merged) throws IOException {
    for (JsonNode type : merged.summary().path("types")) {
      Histogram millis = new Histogram(3);
      for (String[] row : merged.rows("result.csv")) {
        if (row[4].equals(type.path("name").asText()) && row[7].equals("0")) {
          millis.recordValue(Long.parseLong(row[2]));
        }
      }
      JsonNode due = type.at("/latencyMillis/all/due");
      assertThat(due.path("count").asLong())
          .as("%s", type.path("name"))
          .isEqualTo(millis.getTotalCount());
      if (millis.getTotalCount() > 0) {
        assertNear(due.path("p50").asDouble(), millis.getValueAtPercentile(50));
        assertNear(due.path("p99").asDouble(), millis.getValueAtPercentile(99));
        assertNear(due.path("max").asDouble(), millis.getMaxValue());
      }
    }
  }

  private static void assertNear(double exact, long rounded) {
    assertThat(Math.abs(exact - rounded))
        .as("%s and %s ms", exact, rounded)
        .isLessThanOrEqualTo(0.51 + rounded * 0.002);
  }

  /** What each used, from the common start to its end. */
  private static void assertClients(ResultFiles merged) throws IOException {
    Map<String, Long> last = new TreeMap<>();
    for (String[] row : merged.rows("client.csv")) {
      last.put(row[2], Long.parseLong(row[1]));
    }
    assertThat(last).containsOnlyKeys("0", "1", "2");
    // A paced terminal is done when nothing more is due: one gap of 200 ms before the end at most.
    assertThat(last.values())
        .allSatisfy(elapsed -> assertThat(elapsed).isGreaterThanOrEqualTo(5800));
    assertThat(Long.parseLong(merged.rows("client.csv").get(0)[1]))
        .isBetween(1L, TimeUnit.SECONDS.toMillis(DriverProcess.PATIENCE_SECONDS));
  }

  private static void assertDrivers(JsonNode drivers) {
    assertThat(drivers.path("complete").asBoolean()).isTrue();
    assertThat(drivers.path("startSkewMillis").isNumber()).isTrue();
    assertThat(drivers.path("list").findValuesAsText("from")).containsExactly("1", "2", "3");
    assertThat(drivers.path("list").findValuesAsText("to")).containsExactly("1", "2", "3");
    assertThat(drivers.path("list").findValuesAsText("terminals")).containsExactly("2", "2", "3");
    for (JsonNode one : drivers.path("list")) {
      assertThat(one.path("startUncertaintyMillis").asDouble()).isPositive();
      assertThat(one.path("clockDriftMillis").isNumber()).isTrue();
      assertThat(one.at("/client/coresUsed").asDouble()).isPositive();
    }
  }

  @Test
  void unlikePropertiesAreRefusedByAllWithOneLine() throws Exception {
    Workspace workspace = workspace("10");
    DriverProcess first = start(workspace, 0);
    DriverProcess second = start(workspace, 1);
    // One that comes long after the others have parted finds nobody who could tell it why.
    first.awaitOutput("has joined: 2 of 3");
    for (DriverProcess process : List.of(first, second, start(workspace, 2, "retries", "5"))) {
      process
          .await()
          .failedWithOneLine(1, "driver 2 (", "has retries=5, expected 0 as driver 0 has it");
    }
    assertNoDirectories();
  }

  private void assertNoDirectories() throws IOException {
    try (Stream<Path> made = Files.list(directory)) {
      assertThat(made.filter(Files::isDirectory)).isEmpty();
    }
  }

  @Test
  void oneKilledBeforeTheStartEndsAll() throws Exception {
    Workspace workspace = workspace("10");
    DriverProcess first = start(workspace, 0);
    DriverProcess second = start(workspace, 1);
    first.awaitOutput("has joined: 2 of 3");
    second.signal("KILL");

    first.await().failedWithOneLine(1, "driver 1 (", "was lost before the start");
    assertNoDirectories();
  }

  @Test
  void oneThatCannotBeginTellsAll() throws Exception {
    Workspace workspace = workspace("10");
    List<DriverProcess> all =
        List.of(
            start(workspace, 0),
            start(workspace, 1),
            start(workspace, 2, "resultDirectory", "nowhere/result"));

    String why = "the directory it should be made in does not exist";
    all.get(0).await().failedWithOneLine(1, "driver 2 (", why);
    all.get(1).await().failedWithOneLine(1, "driver 2 (", why);
    all.get(2).await().failedWithOneLine(1, why);
    assertNoDirectories();
  }

  @Test
  void oneThatCannotReachTheDatabaseIsMissed() throws Exception {
    Workspace workspace = workspace("10");
    DriverProcess first = start(workspace, 0, "driverWaitSecs", "5");
    start(workspace, 1, "conn", Postgres.url("nosuchdatabase"))
        .await()
        .failedWithOneLine(1, "nosuchdatabase");

    first.await().failedWithOneLine(1, "did not join within 5 s (driverWaitSecs)");
    assertNoDirectories();
  }

  @Test
  void oneKilledDuringTheRunLeavesAMarkedResult() throws Exception {
    Workspace workspace = workspace("10");
    List<DriverProcess> all = startAll(workspace);
    all.get(1).awaitOutput("Running Average");
    all.get(1).signal("KILL");
    all.get(0).awaitOutput("The others go on");
    all.get(0).awaitNewOutput("Running Average");
    all.get(2).signal("INT");

    Finished first = all.get(0).await().withoutTrace();
    assertThat(first.status()).as(first.all()).isEqualTo(1);
    assertThat(first.out()).contains("INCOMPLETE", "LOST: ");
    assertThat(all.get(2).await().withoutTrace().status()).isEqualTo(130);
    JsonNode summary = result("result").assertTablesWhole().summary();
    assertThat(summary.at("/run/ending").asText()).isEqualTo("incomplete");
    assertThat(summary.at("/interval/seconds"))
        .isEqualTo(result("result/drivers/2").summary().at("/interval/seconds"));
    assertThat(summary.at("/drivers/lost/0/from").asInt()).isEqualTo(2);
    assertThat(summary.at("/drivers/list").findValuesAsText("index")).containsExactly("0", "2");
    assertThat(Files.readString(directory.resolve("result/report.html")))
        .contains("INCOMPLETE: the results of driver 1 (warehouses 2 to 2) are missing");
    workspace.run("verify", PROPS).succeeded();
  }

  /** Of a benchmark whose drivers all work on all rows: what the dead one has committed stays. */
  @Test
  void oneKilledOfAnotherBenchmarkLosesNoMoney() throws Exception {
    String bank = Postgres.newDatabase();
    Map<String, String> properties = Postgres.properties(bank);
    properties.keySet().removeIf(key -> key.matches("warehouses|terminalWarehouse.*|.*Weight"));
    properties.putAll(Map.of("workload", "tpcb", "rowsPerTable", "1000", "terminals", "7"));
    properties.putAll(Map.of("runTxnsPerTerminal", "0", "runMins", "10"));
    properties.putAll(Map.of("limitTxnsPerMin", "2100", "resultDirectory", "result"));
    Workspace workspace = new Workspace(directory).properties(properties);
    workspace.run("build", PROPS).succeeded();
    properties.put("drivers", Integer.toString(DRIVERS));
    workspace.properties(properties);
    List<DriverProcess> all = startAll(workspace);
    all.get(1).awaitOutput("Running Average");
    all.get(1).signal("KILL");
    all.get(0).awaitOutput("The others go on");
    all.get(0).awaitNewOutput("Running Average");
    all.get(2).signal("INT");

    assertThat(all.get(0).await().withoutTrace().out()).contains("INCOMPLETE", "LOST: ");
    assertThat(all.get(2).await().withoutTrace().status()).isEqualTo(130);
    JsonNode summary = result("result").assertTablesWhole().summary();
    assertThat(summary.at("/run/ending").asText()).isEqualTo("incomplete");
    assertThat(summary.at("/metrics/0/name").asText()).isEqualTo("tps");
    assertThat(summary.at("/metrics/0/value").asDouble()).isPositive();
    assertThat(summary.at("/drivers/list").findValuesAsText("index")).containsExactly("0", "2");
    assertThat(Files.readString(directory.resolve("result/report.html")))
        .contains("INCOMPLETE: the results of driver 1 ");
    assertThat(workspace.run("verify", PROPS).succeeded().out()).contains(" 0 fail,");
    Postgres.drop(bank);
  }

  @Test
  void withoutDriverZeroTheOthersKeepWhatCanBeMerged() throws Exception {
    Workspace workspace = workspace("10");
    List<DriverProcess> all = startAll(workspace);
    all.get(0).awaitOutput("Running Average");
    all.get(0).signal("KILL");
    all.get(1).awaitOutput("The others go on");
    all.get(2).awaitOutput("The others go on");
    all.get(1).signal("INT");

    for (DriverProcess process : all.subList(1, DRIVERS)) {
      Finished finished = process.await().withoutTrace();
      assertThat(finished.status()).as(finished.all()).isEqualTo(process == all.get(1) ? 130 : 1);
      assertThat(finished.out()).contains("driver.jar merge ");
    }
    Finished merge = workspace.run("merge", "result");
    assertThat(merge.status()).as(merge.all()).isEqualTo(1);
    assertThat(merge.err()).contains("driver 0 is missing from the result");
    assertThat(result("result").ending()).isEqualTo("incomplete");
    workspace
        .run("merge", "other", "result/drivers/1", "result/drivers/1")
        .failedWithOneLine(1, "are both of driver 1");
    assertThat(directory.resolve("other")).doesNotExist();
  }

  /** Without a database, at an instant that is far enough away for all to be there. */
  @Test
  void driversThatDoNotMeetStartWhenTheyWereTold() throws Exception {
    Workspace workspace = workspace("0.1");
    String at = Instant.now().plusSeconds(20).toString();
    List<DriverProcess> all = new ArrayList<>();
    for (int index = 0; index < DRIVERS; index++) {
      all.add(start(workspace, index, "conn", "null:", "seed", "5", "startAt", at));
    }
    for (DriverProcess process : all) {
      process.await().succeeded();
    }
    workspace.run("merge", "result").succeeded();
    ResultFiles merged = result("result").assertTablesWhole();
    assertThat(merged.ending()).isEqualTo("completed");
    assertThat(merged.summary().at("/drivers/complete").asBoolean()).isTrue();
    start(workspace, 0, "conn", "null:", "seed", "5", "startAt", at, "resultDirectory", "late")
        .await()
        .failedWithOneLine(1, "startAt=" + at);
    assertThat(directory.resolve("late")).doesNotExist();
  }

  @Test
  void aSignalToOneEndsAllAtOneInstant() throws Exception {
    Workspace workspace = workspace("10");
    List<DriverProcess> all = startAll(workspace);
    all.get(2).awaitOutput("Running Average");
    all.get(2).signal("INT");

    all.get(0).await().succeeded();
    all.get(1).await().succeeded();
    Finished told = all.get(2).await().withoutTrace();
    assertThat(told.status()).as(told.all()).isEqualTo(130);
    ResultFiles merged = result("result").assertTablesWhole();
    assertThat(merged.ending()).isEqualTo("interrupted");
    assertThat(merged.summary().at("/drivers/complete").asBoolean()).isTrue();

    // What the drivers kept gives the same once more.
    workspace
        .run("merge", "again", "result/drivers/0", "result/drivers/1", "result/drivers/2")
        .succeeded();
    JsonNode again = result("again").assertTablesWhole().summary();
    for (String member : List.of("rates", "types", "latencyMillis", "interval", "audit")) {
      assertThat(again.path(member)).as(member).isEqualTo(merged.summary().path(member));
    }
    assertThat(Files.readString(directory.resolve("again/data/per_second.csv")))
        .isEqualTo(Files.readString(directory.resolve("result/data/per_second.csv")));
  }
}
