package io.shardmark.driver.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.recorder.ResultDirectory;
import io.shardmark.driver.report.HtmlReport;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.reader.HistogramText;
import io.shardmark.driver.results.reader.ResultReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultMergerTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path temporary;
  private final List<String> warnings = new ArrayList<>();
  private MadeDrivers drivers;

  @SuppressWarnings("NullAway.Init") // before each test
  ResultMergerTest() {}

  @BeforeEach
  void makeDrivers() throws IOException {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    drivers = new MadeDrivers(temporary, seed).with(0, 4000).with(1, 2500).with(2, 10);
  }

  private Path merge(List<Path> parts) throws IOException {
    return merge(parts, List.of());
  }

  private Path merge(List<Path> parts, List<Drivers.Lost> lost) throws IOException {
    PartSet set = PartSet.read(parts);
    ResultDirectory out = ResultDirectory.create(temporary.resolve("out").toString());
    new ResultMerger(set, out, warnings::add).merge(lost);
    return out.root();
  }

  private static JsonNode summary(Path directory) throws IOException {
    return MAPPER.readTree(directory.resolve("summary.json").toFile());
  }

  /** Three drivers have the figures, to the last digit, of one that did the same alone. */
  @Test
  void totalsAreThoseOfOneThatDidItAll() throws IOException {
    JsonNode merged = summary(merge(drivers.parts()));
    JsonNode alone = summary(drivers.alone());

    for (String member :
        List.of("metrics", "types", "latencyMillis", "rates", "interval", "errors")) {
      assertThat(merged.path(member)).as(member).isEqualTo(alone.path(member));
    }
    assertThat(merged.path("metrics").findValuesAsText("name"))
        .containsExactly("tpmC", "tpmTotal", "qps", "median", "best");
    assertThat(merged.at("/rates/transactionCount").asLong()).isGreaterThan(1000);
    assertThat(merged.at("/run/ending").asText()).isEqualTo("completed");
    assertThat(warnings).isEmpty();
  }

  @Test
  void secondsAreThoseOfOneThatDidItAll() throws IOException {
    Path merged = merge(drivers.parts()).resolve("data");
    Path alone = drivers.alone().resolve("data");

    assertThat(Files.readAllLines(merged.resolve("per_second.csv")))
        .hasSize(1 + 23 * 6)
        .isEqualTo(Files.readAllLines(alone.resolve("per_second.csv")));
    assertThat(histograms(merged.resolve("latency.hlog")))
        .hasSizeGreaterThan(12)
        .isEqualTo(histograms(alone.resolve("latency.hlog")));
  }

  private static Map<String, Histogram> histograms(Path file) throws IOException {
    Map<String, Histogram> histograms = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("Tag=")) {
        List<String> fields = List.of(line.split(",", -1));
        histograms.put(String.join(",", fields.subList(0, 3)), HistogramText.read(fields.get(4)));
      }
    }
    return histograms;
  }

  @Test
  void rowsAreAllThereInTimeOrder() throws IOException {
    List<String> merged = Files.readAllLines(merge(drivers.parts()).resolve("data/result.csv"));
    List<String> alone = Files.readAllLines(drivers.alone().resolve("data/result.csv"));

    assertThat(merged).hasSizeGreaterThan(5000).containsExactlyInAnyOrderElementsOf(alone);
    List<Long> elapsed =
        merged.stream().skip(1).map(row -> Long.parseLong(row.split(",", -1)[1])).toList();
    assertThat(elapsed).isSorted();
  }

  @Test
  void tellsOfEachDriver() throws IOException {
    JsonNode merged = summary(merge(drivers.parts()));

    JsonNode told = merged.path("drivers");
    assertThat(told.path("count").asInt()).isEqualTo(3);
    assertThat(told.path("merged").asBoolean()).isTrue();
    assertThat(told.path("complete").asBoolean()).isTrue();
    assertThat(told.path("startSkewMillis").asDouble()).isEqualTo(0.004); // 3.5 us, rounded
    assertThat(told.path("list").findValuesAsText("from")).containsExactly("1", "5", "9");
    assertThat(told.at("/list/1/clockDriftMillis").asDouble()).isEqualTo(-2.5);
    assertThat(told.at("/list/2").has("clockDriftMillis")).isFalse();
    double sum = 0;
    for (JsonNode one : told.path("list")) {
      sum += one.path("transactionCount").asDouble();
      assertThat(one.at("/client/coresUsed").asDouble()).isEqualTo(0.25);
    }
    assertThat(sum).isEqualTo(merged.at("/rates/transactionCount").asDouble());
    // Of what the parts say: 0.25 processors each, 1 of 20 rolled back each.
    assertThat(merged.at("/client/coresUsed").asDouble()).isEqualTo(0.75);
    assertThat(merged.at("/client/machineBusyShare").asDouble()).isEqualTo(0.75);
    assertThat(merged.at("/client/gcCount").asInt()).isEqualTo(9);
    assertThat(merged.at("/audit/0/numerator").asInt()).isEqualTo(3);
    assertThat(merged.at("/audit/0/denominator").asInt()).isEqualTo(60);
    assertThat(merged.at("/configuration/terminals").asInt()).isEqualTo(24);
    assertThat(merged.at("/configuration/warehouseTo").asInt()).isEqualTo(12);
    assertThat(merged.at("/configuration/connections").asInt()).isEqualTo(24);
    assertThat(Files.readString(temporary.resolve("out/data/runInfo.csv")))
        .isEqualTo("run,numSUTThreads,limitTxnsPerMin\n7,24,0\n");
  }

  @Test
  void theReportReadsIt() throws IOException {
    Path merged = merge(drivers.parts());
    var run = ResultReader.read(merged);

    assertThat(run.result().transactionCount())
        .isEqualTo(summary(merged).at("/rates/transactionCount").asLong());
    assertThat((int) run.result().configuration().whole("terminals")).isEqualTo(24);
  }

  @Test
  void aMissingDriverMarksTheResult() throws IOException {
    JsonNode merged = summary(merge(List.of(drivers.parts().get(2), drivers.parts().get(0))));

    assertThat(merged.at("/run/ending").asText()).isEqualTo("incomplete");
    assertThat(merged.at("/drivers/complete").asBoolean()).isFalse();
    assertThat(merged.at("/drivers/lost/0/index").asInt()).isEqualTo(1);
    assertThat(merged.at("/drivers/list").findValuesAsText("index")).containsExactly("0", "2");
    assertThat(warnings)
        .containsExactly("driver 1 is missing from the result: its result directory is not here");
  }

  @Test
  void aCutFileIsTold() throws IOException {
    Path file = drivers.parts().get(1).resolve("data/per_second.csv");
    List<String> rows = Files.readAllLines(file);
    Files.write(file, rows.subList(0, 1 + 6 * 7));

    merge(drivers.parts());

    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("driver1: data/per_second.csv ends after 7 s, before the others");
  }

  /** Percentiles without the latencies of one driver would be those of the others. */
  @Test
  void missingHistogramsAreTold() throws IOException {
    Path file = drivers.parts().get(1).resolve("data/second.hlog");
    List<String> lines = Files.readAllLines(file);
    Files.write(file, lines.subList(0, lines.size() / 2));

    merge(drivers.parts());

    assertThat(warnings).singleElement().asString().contains("driver1: data/second.hlog has 0 lat");
  }

  @Test
  void errorsOfOneSecondAreAdded() throws IOException {
    String header = "run,second,ttype,disposition,sqlstate,count,retried\n";
    errors(0, header + "7,2,NEW_ORDER,DEADLOCK,40P01,2,1\n7,9,PAYMENT,OTHER_ERROR,,1,0\n");
    errors(1, header);
    errors(
        2,
        header
            + "7,0,DELIVERY,LOCK_TIMEOUT,55P03,5,0\n7,2,PAYMENT,DEADLOCK,40P01,1,1\n"
            + "7,2,NEW_ORDER,DEADLOCK,40P01,3,3\n");

    assertThat(Files.readString(merge(drivers.parts()).resolve("data/errors.csv")))
        .isEqualTo(
            header
                + "7,0,DELIVERY,LOCK_TIMEOUT,55P03,5,0\n7,2,NEW_ORDER,DEADLOCK,40P01,5,4\n"
                + "7,2,PAYMENT,DEADLOCK,40P01,1,1\n7,9,PAYMENT,OTHER_ERROR,,1,0\n");
  }

  private void errors(int index, String text) throws IOException {
    Files.writeString(drivers.parts().get(index).resolve("data/errors.csv"), text);
  }

  @Test
  void refusesWhatDoesNotBelongTogether() throws IOException {
    Path first = drivers.parts().get(0);
    assertRefused(List.of(first, first), "are both of driver 0");
    assertRefused(
        List.of(first, drivers.other(1, 23_000_000_000L, "another")),
        "were not started together: expected results of one run");
    assertRefused(
        List.of(first, drivers.other(2, 22_000_000_000L, MadeDrivers.GROUP)),
        "measured 23.000000 s and 22.000000 s: expected the same interval");
    assertRefused(List.of(temporary.resolve("nowhere")), "nowhere: no such result directory");
    assertRefused(List.of(temporary), "has no data/totals.json");
    Path totals = first.resolve("data/totals.json");
    String text = Files.readString(totals);
    Files.writeString(totals, text.substring(0, text.length() / 2));
    assertRefused(drivers.parts(), "cannot be read");
    Files.writeString(totals, text.replace("\"nanos\":\"", "\"nanos\":\"AAAA"));
    assertRefused(drivers.parts(), "cannot be read");
    Files.writeString(totals, "{\"schema\":\"other\"}");
    assertRefused(drivers.parts(), "is not of schema shardmark-totals version 6");
  }

  @Test
  void refusesRangesThatOverlap() throws IOException {
    Path summary = drivers.parts().get(1).resolve("summary.json");
    Files.writeString(summary, Files.readString(summary).replace("\"from\" : 5", "\"from\" : 4"));

    assertRefused(drivers.parts(), "overlap: warehouses 1 to 4 and 4 to 8");
  }

  @Test
  void terminalsOfShardsAreAdded() throws IOException {
    List<String> counts = List.of("2 1", "", "3 0 4");
    for (int index = 0; index < counts.size(); index++) {
      Path file = drivers.parts().get(index).resolve("summary.json");
      ObjectNode summary = (ObjectNode) MAPPER.readTree(file.toFile());
      summary.withObject("/facts").put("terminalsOfShards", counts.get(index)).put("shards", "3");
      MAPPER.writeValue(file.toFile(), summary);
    }

    JsonNode facts = summary(merge(drivers.parts())).path("facts");
    assertThat(facts.path("terminalsOfShards").asText()).isEqualTo("5 1 4");
    assertThat(facts.path("shards").asText()).isEqualTo("3");
  }

  /** Of a benchmark whose drivers all work on all of it. */
  @Test
  void takesDriversThatShareTheWholeScale() throws IOException {
    for (Path part : drivers.parts()) {
      Path summary = part.resolve("summary.json");
      String text = Files.readString(summary);
      String all = text.replaceAll("(?s).*\"number\" : (\\d+).*", "$1");
      Files.writeString(
          summary,
          text.replaceAll("\"from\" : \\d+", "\"from\" : 1")
              .replaceAll("\"to\" : \\d+", "\"to\" : " + all));
    }

    assertThat(PartSet.read(drivers.parts())).isNotNull();
  }

  private static void assertRefused(List<Path> parts, String line) {
    assertThatThrownBy(() -> PartSet.read(parts))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(line)
        .hasMessageNotContaining("\n");
  }

  /** A row for each driver, on the time of all; what was before the start is left out. */
  @Test
  void whatEachDriverUsedIsThereOverTime() throws IOException {
    Path merged = merge(drivers.parts());

    assertThat(merged.resolve("data/client.csv"))
        .hasContent(
            """
            run,elapsed,driver,cores_used,cores_available
            7,1000,0,0.100,2
            7,1000,2,2.300,2
            7,2000,0,0.200,2
            7,3500,1,1.300,2
            7,6000,0,0.300,2
            """);
    var clients = ResultReader.read(merged).resources().clients();
    assertThat(clients).containsOnlyKeys(0, 1, 2);
    var last = List.copyOf(clients.values()).get(2);
    assertThat(last.column("cores_used").get(0)).isEqualTo(2.3);
    assertThat(ResultReader.read(drivers.parts().get(2)).resources().clients().values())
        .containsExactly(last);
    assertThat(warnings).isEmpty();
  }

  @Test
  void aDriverThatDoesNotTellWhatItUsedIsNamed() throws IOException {
    Files.delete(drivers.parts().get(1).resolve("data/client.csv"));
    Files.writeString(
        drivers.parts().get(2).resolve("data/client.csv"),
        "run,elapsed,cores_used,cores_available\n7,6000,0.1,2\n7,7000,0.");

    Path merged = merge(drivers.parts());

    assertThat(merged.resolve("data/client.csv")).content().contains("7,1000,2,0.1,2\n");
    assertThat(warnings).hasSize(2);
    assertThat(warnings.get(0)).contains("driver1: data/client.csv has no rows");
    assertThat(warnings.get(1))
        .contains("client.csv: line 3 ends in the middle", "rows are missing");
  }

  @Test
  void aFirstRowThatIsNoneCostsTheFileAndNotTheResult() throws IOException {
    Files.writeString(
        drivers.parts().get(1).resolve("data/client.csv"),
        "run,elapsed,cores_used,cores_available\n7,60");

    assertThat(merge(drivers.parts()).resolve("summary.json")).exists();
    assertThat(warnings)
        .hasSize(2)
        .anyMatch(line -> line.contains("client.csv: line 2 ends in the middle: its later rows"))
        .anyMatch(line -> line.contains("driver1: data/client.csv has no rows"));
  }

  /** Drivers on one machine see the same system; one on another machine sees another. */
  @Test
  void eachMachineIsThereOnce() throws IOException {
    for (int driver = 0; driver < 3; driver++) {
      Path part = drivers.parts().get(driver);
      Files.writeString(
          part.resolve("data/sys_info.csv"),
          "run,elapsed,cpu_user\n7,6000,0.%d\n".formatted(driver));
      Files.writeString(
          part.resolve("data/net_eth0.csv"), "run,elapsed,device,rxkbps\n7,6000,net_eth0,1\n");
      Path totals = part.resolve("data/totals.json");
      Files.writeString(
          totals,
          Files.readString(totals)
              .replaceAll(
                  "\"machineId\":\"[^\"]*\"",
                  "\"machineId\":\"%s\"".formatted(driver == 2 ? "b" : "a")));
    }
    Files.writeString(
        drivers.parts().get(0).resolve("data/db_stats.csv"), "run,elapsed,x\n7,1000,5\n");

    Path whole = merge(drivers.parts());
    Path data = whole.resolve("data");

    assertThat(summary(whole).at("/client/coresAvailable").asInt()).isEqualTo(4);
    assertThat(data.resolve("sys_info.csv")).hasContent("run,elapsed,cpu_user\n7,6000,0.0");
    assertThat(data.resolve("sys_info_driver2.csv")).hasContent("run,elapsed,cpu_user\n7,1000,0.2");
    assertThat(data.resolve("db_stats.csv")).hasContent("run,elapsed,x\n7,1000,5");
    try (Stream<Path> files = Files.list(data)) {
      assertThat(files.map(file -> String.valueOf(file.getFileName())))
          .filteredOn(name -> name.startsWith("sys") || name.startsWith("net"))
          .containsExactlyInAnyOrder(
              "sys_info.csv", "sys_info_driver2.csv", "net_eth0.csv", "net_eth0_driver2.csv");
    }
    var run = ResultReader.read(data.resolveSibling(""));
    assertThat(run.resources().devices())
        .containsOnlyKeys("net_eth0", "net_eth0_driver2", "sys_info_driver2");
    Path page = HtmlReport.write(run, temporary.resolve("out"));
    assertThat(page)
        .content()
        .contains("CPU utilization of the machine of driver 2", "Network device eth0 of driver 2")
        .contains("Processors used by each driver");
  }

  @Test
  void aRowThatIsNoneIsNamed() throws IOException {
    Path file = drivers.parts().get(1).resolve("data/per_second.csv");
    List<String> rows = new ArrayList<>(Files.readAllLines(file));
    rows.set(9, rows.get(9).replace("7,1,", "7,3,"));
    Files.write(file, rows);

    assertThatThrownBy(() -> merge(drivers.parts()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("per_second.csv: line 10 is not second 1 of ORDER_STATUS");
  }
}
