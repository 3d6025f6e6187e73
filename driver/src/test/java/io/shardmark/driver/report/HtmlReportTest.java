package io.shardmark.driver.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.driver.results.reader.ResultReader;
import io.shardmark.driver.results.reader.SampleDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HtmlReportTest {
  private static final String HEADER = "run,elapsed,latency,dblatency,ttype,rbk,dskipped,error\n";

  @TempDir private Path temporary;

  private static String page(Path directory) throws IOException {
    return Files.readString(HtmlReport.write(ResultReader.read(directory), directory));
  }

  /** The text of what the page shows. */
  private static String content(Path directory) throws IOException {
    return PageJson.of(page(directory)).toString();
  }

  private static String figure(String name, String value, String unit) {
    return "\"name\":\"%s\",\"value\":\"%s\",\"unit\":\"%s\"".formatted(name, value, unit);
  }

  @Test
  void showsFiguresVerdictsAndCharts() throws IOException {
    String page = page(SampleDirectories.ours(temporary));
    assertThat(PageJson.of(page).toString())
        .contains(figure("tpmC", "20", ""))
        .contains("\"id\":\"chart-throughput\"", "\"id\":\"chart-curve\"")
        .contains("\"id\":\"chart-heat\"", "\"id\":\"bottleneck\"")
        .contains("Locks limited the run, most of them on bmsql_warehouse")
        .containsPattern("\"tpmC over time\",\"range\":\"[^\"]+\",\"values\":\\[[0-9]")
        .containsPattern("\"p95 of NEW_ORDER over time\",\"range\":\"[^\"]+\",\"values\":\\[[0-9n]")
        .contains("Not in this report");
    assertThat(page.length()).isLessThan(3 << 20);
  }

  /** As the OS collector leaves them of each further {@code osCollectorSSHAddr}. */
  @Test
  void eachMachineHasItsOwnCharts() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    StringBuilder processors = new StringBuilder("run,elapsed,cpu_user\n");
    StringBuilder network = new StringBuilder("run,elapsed,device,rxkbps\n");
    for (int second = 1; second <= 300; second++) {
      processors.append("7,%d000,0.2\n".formatted(second));
      network.append("7,%d000,net_eth0,5\n".formatted(second));
    }
    Path data = directory.resolve("data");
    Files.writeString(data.resolve("sys_info_at_192.168.0.22.csv"), processors);
    Files.writeString(data.resolve("net_eth0_at_192.168.0.22.csv"), network);
    assertThat(content(directory))
        .contains("CPU utilization of the machine 192.168.0.22")
        .contains("Network device eth0 192.168.0.22");
  }

  /** An interval around a figure that may be higher would promise what nobody knows. */
  @Test
  void marksLowerBoundsOnTheFirstScreenAndGivesThemNoInterval() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    Path file = directory.resolve("summary.json");
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode summary = (ObjectNode) mapper.readTree(file.toFile());
    ObjectNode due = (ObjectNode) summary.path("types").path(0).at("/latencyMillis/all/due");
    due.put("lowerBoundFrom", 95).put("undone", 3).put("p90", 12.5).put("p99", 2514);
    mapper.writeValue(file.toFile(), summary);

    assertThat(head(directory))
        .contains(figure("p99 NEW_ORDER", "≥ 2,514", "ms"))
        .contains("a lower bound: 3 transactions were not done")
        .contains(figure("p90 NEW_ORDER", "12.5", "ms"));
  }

  @Test
  void showsTheP99OfEachTypeAndTheChangeSinceTheLastRun() throws IOException {
    Path before = Files.createDirectory(temporary.resolve("before"));
    Path earlier = temporary.resolve("earlier");
    Files.move(SampleDirectories.ours(before), earlier);
    Path directory = SampleDirectories.ours(temporary);
    assertThat(head(directory))
        .doesNotContain("Since the last run")
        .contains("\"name\":\"p99 PAYMENT\"");

    ObjectMapper mapper = new ObjectMapper();
    Path file = earlier.resolve("summary.json");
    ObjectNode summary = (ObjectNode) mapper.readTree(file.toFile());
    ((ObjectNode) summary.path("run")).put("sessionStart", "2026-11-19T09:00:00Z");
    ((ObjectNode) summary.path("metrics").path(0)).put("value", 16);
    mapper.writeValue(file.toFile(), summary);
    assertThat(head(directory))
        .contains(
            "Since the last run", "tpmC 25 % more, ", "p99 NEW_ORDER 0 % longer", "(earlier)");

    Path damaged = Files.createDirectory(temporary.resolve("damaged"));
    Files.copy(earlier.resolve("run.properties"), damaged.resolve("run.properties"));
    String whole = Files.readString(file);
    Files.writeString(damaged.resolve("summary.json"), whole.substring(0, whole.length() / 2));
    assertThat(head(directory)).contains("(earlier)");
    Files.writeString(
        damaged.resolve("summary.json"),
        whole
            .replace("2026-11-19T09:00:00Z", "2026-11-20T09:00:00Z")
            .replace("\"value\":16,", "\"value\":\"many\","));
    assertThat(head(directory))
        .contains("p99 NEW_ORDER 0 % longer", "(damaged)")
        .doesNotContain("tpmC 25 %");
    Files.delete(damaged.resolve("summary.json"));

    // An hour after the other one; where it was made the clock said an hour less.
    ((ObjectNode) summary.path("run")).put("sessionStart", "2026-11-20T20:37:11-02:00");
    mapper.writeValue(file.toFile(), summary);
    assertThat(head(directory)).doesNotContain("Since the last run");

    Files.writeString(earlier.resolve("run.properties"), "db=postgres\nwarehouses=3\n");
    assertThat(head(directory)).doesNotContain("Since the last run");
  }

  /** Any of them may be the last one. */
  @Test
  void amongTooManyDirectoriesNobodyLooksForTheLastRun() throws IOException {
    Path before = Files.createDirectory(temporary.resolve("before"));
    Path earlier = Files.move(SampleDirectories.ours(before), temporary.resolve("earlier"));
    Path directory = SampleDirectories.ours(temporary);
    Path file = earlier.resolve("summary.json");
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode summary = (ObjectNode) mapper.readTree(file.toFile());
    ((ObjectNode) summary.path("run")).put("sessionStart", "2026-11-19T09:00:00Z");
    mapper.writeValue(file.toFile(), summary);
    assertThat(head(directory)).contains("Since the last run");

    for (int i = 0; i < 500; i++) {
      Files.createSymbolicLink(temporary.resolve("again" + i), earlier);
    }
    assertThat(head(directory)).doesNotContain("Since the last run");
  }

  private static String head(Path directory) throws IOException {
    String page = content(directory);
    return page.substring(0, page.indexOf("\"sections\":"));
  }

  @Test
  void failuresThatNobodyRecordedAreNotNone() throws IOException {
    Path directory =
        SampleDirectories.benchmarkSql(temporary, HEADER + "1,40,5,5,NEW_ORDER,0,0,0\n");

    assertThat(head(directory))
        .contains(figure("failed", "–", ""), "not recorded by BenchmarkSQL")
        .doesNotContain("0 % of all transactions");
  }

  @Test
  void anAuditThatJudgedLessThanHalfOfItsRulesIsNoPass() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    Path file = directory.resolve("summary.json");
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode summary = (ObjectNode) mapper.readTree(file.toFile());
    ArrayNode audit = summary.putArray("audit");
    for (int rule = 0; rule < 10; rule++) {
      audit
          .addObject()
          .put("clause", "5.2.3")
          .put("description", "rule " + rule)
          .put("unit", "PERCENT")
          .put("denominator", 9)
          .put("verdict", rule < 4 ? "PASS" : "NOT_APPLICABLE");
    }
    mapper.writeValue(file.toFile(), summary);
    String rules = "4 of 10 rules of TPC-C 5.2.3 and 9.2.2.5 passed, 6 not judged";
    assertThat(head(directory))
        .contains("\"grade\":\"unknown\",\"subject\":\"Input audit\",\"text\":\"" + rules + "\"");

    ((ObjectNode) audit.get(5)).put("verdict", "PASS");
    ((ObjectNode) audit.get(6)).put("verdict", "PASS");
    mapper.writeValue(file.toFile(), summary);
    assertThat(head(directory)).contains("6 of 10 rules").doesNotContain("\"grade\":\"unknown\"");
  }

  @Test
  void showsErrorsByClassAndWhatTheDriverUsed() throws IOException {
    String page = content(SampleDirectories.ours(temporary));
    assertThat(page)
        .contains("\"id\":\"chart-error-classes\"", "DEADLOCK 40P01")
        .contains("\"id\":\"chart-client-cpu\"", "\"id\":\"chart-client-gc\"")
        .contains("\"id\":\"chart-client-memory\"");
  }

  @Test
  void showsStagesAndStatementsOfARunThatHasThem() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    assertThat(content(directory)).doesNotContain("\"id\":\"stages\"", "\"id\":\"statements\"");
    Path file = directory.resolve("summary.json");
    String summary = Files.readString(file);
    Files.writeString(
        file,
        summary.substring(0, summary.lastIndexOf('}'))
            + """
            , "stages": [{"stage": "1m:600", "tpmC": 270, "tpmTotal": 590, "errors": 1,
              "load": {"askedPerMinute": 600, "due": 600, "begun": 595, "done": 591, "backlogAtEnd": 5},
              "latencyMillis": {"count": 590, "lowerBoundFrom": 99, "mean": 2, "p50": 1, "p90": 3,
                "p95": 4, "p99": 5.5, "max": 777}}],
              "statements": [{"type": "PAYMENT", "statement": "SELECT 1 < 2", "totalSeconds": 2,
                "latencyMillis": {"count": 1234, "mean": 1.62}}]}
            """);

    assertThat(content(directory)).contains("SELECT 1 < 2", "1,234", "100 %");
    JsonNode stages = block(directory, "stages", 1);
    List<String> names = stages.path("columns").findValuesAsText("name");
    JsonNode cells = stages.at("/rows/0/cells");
    assertThat(cells.get(0).asText()).isEqualTo("1 (1m:600)");
    assertThat(cells.get(names.indexOf("p90")).asText()).isEqualTo("3");
    assertThat(cells.get(names.indexOf("p99")).asText()).isEqualTo("≥ 5.5");
    assertThat(cells.get(names.indexOf("Max")).asText()).isEqualTo("≥ 777");
  }

  @Test
  void withoutASuccessNoFigureIsThatOfATransaction() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    assertThat(block(directory, "database-figures", 0).at("/rows/0/cells").toString())
        .isEqualTo("[\"commits\",\"33\",\"1\"]");
    Path file = directory.resolve("summary.json");
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode summary = (ObjectNode) mapper.readTree(file.toFile());
    summary.path("types").forEach(type -> ((ObjectNode) type).put("count", 0).put("errors", 0));
    mapper.writeValue(file.toFile(), summary);
    assertThat(block(directory, "database-figures", 0).at("/rows/0/cells").toString())
        .isEqualTo("[\"commits\",\"33\",\"–\"]");
  }

  /** A block of a section. */
  private static JsonNode block(Path directory, String section, int index) throws IOException {
    for (JsonNode one : PageJson.of(page(directory)).path("sections")) {
      if (one.path("id").asText().equals(section)) {
        return one.path("blocks").path(index);
      }
    }
    throw new AssertionError("no section " + section);
  }

  @Test
  void showsWhatDriverAndServersTookOfTheProcessors() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    assertThat(content(directory)).doesNotContain("\"id\":\"processors\"");
    Path file = directory.resolve("summary.json");
    String counted = "\"databaseFigures\" :";
    String processes =
        """
        "serverProcesses": [
          {"role": "proxy", "address": "a:1", "program": "java", "userSeconds": 10, "systemSeconds": 2}%s],
        """;
    String summary = Files.readString(file);

    Files.writeString(file, summary.replace(counted, processes.formatted("") + counted));
    assertThat(content(directory))
        .contains("\"id\":\"processors\"", "\"a:1\"", "\"0.2\"")
        .contains("\"363,636\"", "\"454,545\"", "\"818,182\"")
        .doesNotContain("Not read:");

    String shard = ", {\"role\": \"shard\", \"address\": \"b:1\"}";
    Files.writeString(file, summary.replace(counted, processes.formatted(shard) + counted));
    assertThat(content(directory))
        .contains("\"b:1\"", "Not read: a process on another machine")
        .doesNotContain("\"818,182\"");
  }

  /** More and longer names than anybody gives; files of other things must not fill the memory. */
  @Test
  void showsTypesOfAnyNumberAndName() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    Path file = directory.resolve("summary.json");
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode summary = (ObjectNode) mapper.readTree(file.toFile());
    String longest = "LONG_NAME_".repeat(10);
    for (int i = 0; i < 50; i++) {
      ObjectNode type = (ObjectNode) summary.path("types").path(0).deepCopy();
      ((ArrayNode) summary.path("types")).add(type.put("name", longest + i));
    }
    mapper.writeValue(file.toFile(), summary);
    Path rows = directory.resolve("data/result.csv");
    Files.writeString(rows, Files.readString(rows) + "7,999,5,5," + longest + "49,0,0,0\n");

    assertThat(content(directory)).contains(longest + 0, longest + 49).doesNotContain("no row of");
  }

  /** JSON has no such numbers, but Java reads them from texts and from many digits. */
  @Test
  void showsADashForWhatIsNoNumber() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    Path file = directory.resolve("summary.json");
    Files.writeString(
        file,
        Files.readString(file)
            .replaceFirst("\"gcShare\" : [0-9.]+", "\"gcShare\" : \"Infinity\"")
            .replaceFirst("\"value\" : [0-9.]+", "\"value\" : \"NaN\""));

    assertThat(content(directory)).contains(figure("tpmC", "–", ""), "– %\"");
  }

  /** Bytes, milliseconds and sessions have no axis in common. */
  @Test
  void showsTheLagOfAStandbyApartFromSessions() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    Path samples = directory.resolve("data/db_stats.csv");
    Files.writeString(samples, "run,elapsed,active_sessions\n7,11000,2\n7,12000,3\n");
    assertThat(content(directory)).contains("\"id\":\"chart-levels\"").doesNotContain("chart-lags");
    Files.writeString(
        samples,
        """
        run,elapsed,active_sessions,replay_lag_bytes,replay_lag_ms
        7,11000,2,150000,30
        7,12000,3,1000,20
        """);
    assertThat(content(directory)).contains("\"id\":\"chart-levels\"", "\"id\":\"chart-lags\"");
  }

  /** A summary of another benchmark, whose figures and words are its own. */
  @Test
  void showsAnotherBenchmarkAsItIs() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    Path file = directory.resolve("summary.json");
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode summary = (ObjectNode) mapper.readTree(file.toFile());
    ((ObjectNode) summary.path("run")).put("workload", "other");
    summary.putObject("scale").put("name", "branches").put("number", 1);
    summary.set(
        "metrics",
        mapper.readTree(
            """
            [{"name": "tps", "unit": "/s", "value": 0.55, "higherIsBetter": true,
              "weights": {"NEW_ORDER": 1, "PAYMENT": 1}},
             {"name": "bestSecond", "unit": "/s", "value": 7, "higherIsBetter": true,
              "weights": {}}]
            """));
    summary.putArray("audit");
    summary.path("types").forEach(type -> ((ObjectNode) type).put("limitMillis", 0));
    mapper.writeValue(file.toFile(), summary);

    String page = content(directory);
    assertThat(page.substring(0, page.indexOf("\"id\":\"setup\"")))
        .contains("other on postgres · 1 branch ·", figure("tps", "0.55", ""), "95 %")
        .contains(figure("bestSecond", "7", "") + ",\"note\":\"\"")
        .contains("tps over time", "a second", "Transactions per second")
        .doesNotContain(
            "TPC-C", "tpmC", "tpmTotal", "2 warehouses", "Limit of p90", "BenchmarkSQL");
  }

  /** Its points are ten times as high as the transactions were many. */
  @Test
  void aRateOfStatementsIsNotCalledOneOfTransactions() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    Path file = directory.resolve("summary.json");
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode summary = (ObjectNode) mapper.readTree(file.toFile());
    summary.set(
        "metrics",
        mapper.readTree(
            """
            [{"name": "qps", "unit": "/s", "value": 5.5, "higherIsBetter": true,
              "weights": {"NEW_ORDER": 10, "PAYMENT": 10}}]
            """));
    mapper.writeValue(file.toFile(), summary);

    assertThat(content(directory))
        .contains("\"title\":\"qps\"")
        .doesNotContain("Transactions per second");
  }

  @Test
  void tellsEfficiencyOnlyWithPacing() throws IOException {
    String page = content(SampleDirectories.ours(temporary));
    assertThat(page)
        .contains("(TPC-C 4.2): n/a, because the run had no keying and think times")
        .doesNotContain("% of 12.86");
  }

  /** A killed run has no verdict, but its figures say enough. */
  @Test
  void warnsOfADriverThatUsedAllItsProcessors() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    Files.delete(directory.resolve("summary.json"));
    assertThat(content(directory)).doesNotContain("may have limited this run");
    Path client = directory.resolve("data/client.csv");
    String busy = Files.readString(client).replace(",0.500,", ",99.000,");
    Files.writeString(client, busy);
    assertThat(content(directory)).contains("The load generator used", "may have limited this run");
  }

  @Test
  void escapesWhatComesFromFiles() throws IOException {
    Path directory =
        SampleDirectories.benchmarkSql(
            temporary, HEADER + "1,30,5,5,</script><b>x,0,0,0\n1,40,5,5,NEW_ORDER,0,0,0\n");
    Files.writeString(directory.resolve("run.properties"), "db=<img src=x onerror=alert(1)>\n");
    String page = page(directory);
    assertThat(PageJson.escaped(page))
        .contains("\\u003cimg src=x onerror=alert(1)>", "\\u003c/script>\\u003cb>x")
        .doesNotContain("<");
    assertThat(page.substring(0, page.indexOf(" id=\"page\""))).doesNotContain("img src", "alert");
    assertThat(PageJson.of(page).toString()).contains("<img src=x onerror=alert(1)>");
  }

  @Test
  void asksForNothingFromAnywhere() throws IOException {
    String page = page(SampleDirectories.ours(temporary));
    String frame = page.replace(PageJson.escaped(page), "");
    assertThat(frame.substring(0, frame.indexOf("<footer>")))
        .contains("default-src 'none'")
        .doesNotContain("<link", "src=\"", "@import");
  }

  @Test
  void writesAPageForNothingAtAll() throws IOException {
    String page = content(Files.createDirectory(temporary.resolve("empty")));
    assertThat(page)
        .contains("There are no latencies.", "result.csv is not there")
        .contains("left no transactions", figure("tpmC", "–", ""), "n/a, because the number of")
        .doesNotContain("as long as planned", "BenchmarkSQL does not record");
  }

  @Test
  void showsSettingsThatAreNotTheDefaultsAndWhereTheyStand() throws IOException {
    Path directory = SampleDirectories.benchmarkSql(temporary, "");
    Files.writeString(
        directory.resolve("run.properties"),
        """
        db=postgres
        retries=0
        connectTimeoutSecs=9
        terminals=3
        # from the command line:
        runMins=2
        """);

    assertThat(content(directory))
        .contains(
            "\"db=postgres (line 1)\"",
            "\"connectTimeoutSecs=9 (default 30, line 3)\"",
            "\"terminals=3 (line 4)\"")
        .containsPattern("\"runMins=2 \\(default [^\"]*command line\\)\"")
        .doesNotContain("\"retries=0");
  }
}
