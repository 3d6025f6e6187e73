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
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes of driver.jar as one run, against one PostgreSQL. */
final class SeveralDriversTest {
  private static final String PROPS = Workspace.PROPERTIES;

  /** In which three JVMs start, whatever else the machine does. */
  private static final int MOST_SECONDS = 100;

  @TempDir private Path directory;
  @AutoClose private final DriverGroup drivers = new DriverGroup();
  private Workspace workspace;

  @BeforeEach
  void workspace() {
    workspace = new Workspace(directory);
  }

  @Test
  void makeOneResult() throws Exception {
    workspace.properties(DriverGroup.properties("0.1"));
    List<DriverProcess> all =
        List.of(
            drivers.start(workspace, 0),
            drivers.start(workspace, 1),
            drivers.startByJobIndex(workspace, 2));
    for (DriverProcess process : all) {
      process.await().succeeded().withoutTrace();
    }
    ResultFiles merged = workspace.result("result").assertWhole();
    List<ResultFiles> parts =
        List.of(
            workspace.result("result/drivers/0"),
            workspace.result("result/drivers/1"),
            workspace.result("result/drivers/2"));

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

  /** The rate of all is that of the sum, over the interval that each of them had. */
  private static void assertSums(ResultFiles merged, List<ResultFiles> parts) throws IOException {
    long headline = 0;
    long rows = 0;
    double seconds = merged.summary().at("/interval/seconds").asDouble();
    for (ResultFiles part : parts) {
      JsonNode summary = part.summary();
      assertThat(summary.at("/interval/seconds").asDouble()).isEqualTo(seconds);
      assertThat(summary.at("/drivers/merged").asBoolean(true)).isFalse();
      headline += summary.at("/rates/headlineCount").asLong();
      rows += part.rows("result.csv").size();
    }
    assertThat(headline).isPositive();
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
      // From there on what was not done when the interval ended raises the figures.
      double raisedFrom = due.path("lowerBoundFrom").asDouble(Double.MAX_VALUE);
      Map.of("p50", 50.0, "p99", 99.0, "max", 100.0)
          .forEach(
              (figure, percentile) -> {
                if (millis.getTotalCount() > 0 && percentile < raisedFrom) {
                  assertNear(due.path(figure).asDouble(), millis.getValueAtPercentile(percentile));
                }
              });
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
    // Of the last of 6 s as much as the paced terminals had work in it.
    assertThat(last.values()).allSatisfy(elapsed -> assertThat(elapsed).isGreaterThan(5000));
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
    workspace.properties(DriverGroup.properties("10"));
    DriverProcess first = drivers.start(workspace, 0);
    DriverProcess second = drivers.start(workspace, 1);
    // One that comes long after the others have parted finds nobody who could tell it why.
    first.awaitOutput("has joined: 2 of 3");
    for (DriverProcess process :
        List.of(first, second, drivers.start(workspace, 2, "retries", "5"))) {
      process
          .await()
          .failedWithOneLine(1, "driver 2 (", "has retries=5, expected 0 as driver 0 has it");
    }
    workspace.assertNoDirectories();
  }

  @Test
  void oneThatCannotBeginTellsAll() throws Exception {
    workspace.properties(DriverGroup.properties("10"));
    List<DriverProcess> all =
        List.of(
            drivers.start(workspace, 0),
            drivers.start(workspace, 1),
            drivers.start(workspace, 2, "resultDirectory", "nowhere/result"));

    String why = "the directory it should be made in does not exist";
    all.get(0).await().failedWithOneLine(1, "driver 2 (", why);
    all.get(1).await().failedWithOneLine(1, "driver 2 (", why);
    all.get(2).await().failedWithOneLine(1, why);
    workspace.assertNoDirectories();
  }

  @Test
  void oneThatCannotReachTheDatabaseIsMissed() throws Exception {
    workspace.properties(DriverGroup.properties("10"));
    DriverProcess first = drivers.start(workspace, 0, "driverWaitSecs", "5");
    drivers
        .start(workspace, 1, "conn", Postgres.url("nosuchdatabase"))
        .await()
        .failedWithOneLine(1, "nosuchdatabase");

    first.await().failedWithOneLine(1, "did not join within 5 s (driverWaitSecs)");
    workspace.assertNoDirectories();
  }

  /** Without a database, at an instant that is far enough away for all to be there. */
  @Test
  void driversThatDoNotMeetStartWhenTheyWereTold() throws Exception {
    workspace.properties(DriverGroup.properties("0.1"));
    int seconds = 10;
    while (!haveStarted(seconds)) {
      seconds *= 2;
    }
    String result = "result" + seconds;
    workspace.run("merge", result).succeeded();
    ResultFiles merged = workspace.result(result).assertTablesWhole();
    assertThat(merged.ending()).isEqualTo("completed");
    assertThat(merged.summary().at("/drivers/complete").asBoolean()).isTrue();
    String past = Instant.now().minusSeconds(1).toString();
    startAt(past, 0, "late").await().failedWithOneLine(1, "startAt=" + past);
    assertThat(directory.resolve("late")).doesNotExist();
  }

  private DriverProcess startAt(String instant, int index, String result) throws IOException {
    return drivers.start(
        workspace,
        index,
        "conn",
        "null:",
        "seed",
        "5",
        "startAt",
        instant,
        "resultDirectory",
        result);
  }

  /** False if one of all the drivers was not ready after so many seconds. */
  private boolean haveStarted(int seconds) throws Exception {
    String at = Instant.now().plusSeconds(seconds).toString();
    List<DriverProcess> all = new ArrayList<>();
    for (int index = 0; index < DriverGroup.SIZE; index++) {
      all.add(startAt(at, index, "result" + seconds));
    }
    boolean started = true;
    for (DriverProcess process : all) {
      Finished finished = process.await();
      if (finished.err().contains("startAt=" + at) && seconds < MOST_SECONDS) {
        started = false;
      } else {
        finished.succeeded();
      }
    }
    return started;
  }

  @Test
  void aSignalToOneEndsAllAtOneInstant() throws Exception {
    workspace.properties(DriverGroup.properties("10"));
    List<DriverProcess> all = drivers.startAll(workspace);
    all.get(2).awaitOutput("Running Average");
    all.get(2).signal("INT");

    all.get(0).await().succeeded();
    all.get(1).await().succeeded();
    Finished told = all.get(2).await().withoutTrace();
    assertThat(told.status()).as(told.all()).isEqualTo(130);
    ResultFiles merged = workspace.result("result").assertTablesWhole();
    assertThat(merged.ending()).isEqualTo("interrupted");
    assertThat(merged.summary().at("/drivers/complete").asBoolean()).isTrue();

    // What the drivers kept gives the same once more.
    workspace
        .run("merge", "again", "result/drivers/0", "result/drivers/1", "result/drivers/2")
        .succeeded();
    JsonNode again = workspace.result("again").assertTablesWhole().summary();
    for (String member : List.of("rates", "types", "latencyMillis", "interval", "audit")) {
      assertThat(again.path(member)).as(member).isEqualTo(merged.summary().path(member));
    }
    assertThat(Files.readString(directory.resolve("again/data/per_second.csv")))
        .isEqualTo(Files.readString(directory.resolve("result/data/per_second.csv")));
  }
}
