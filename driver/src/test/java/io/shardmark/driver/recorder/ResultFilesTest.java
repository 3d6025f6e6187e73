package io.shardmark.driver.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.config.ResultRows;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.SecondFigures;
import io.shardmark.driver.measure.Snapshot;
import io.shardmark.driver.measure.TestTypes;
import io.shardmark.driver.results.ErrorResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFilesTest {
  @TempDir Path temporary;
  private ResultDirectory directory;
  private final List<String> failures = new ArrayList<>();

  @BeforeEach
  void makeDirectory() {
    directory = ResultDirectory.create(temporary + "/r", ZonedDateTime.now(ZoneOffset.UTC));
  }

  private RunStatistics run(ResultRows rows, int sampleEvery) throws IOException {
    ResultFiles files =
        ResultFiles.open(
            directory,
            new ResultFiles.FileLayout(7, TestTypes.TPCC, rows, sampleEvery),
            failures::add);
    RunStatistics statistics = SampleRun.play(files);
    files.close();
    assertThat(files.failure()).isEmpty();
    return statistics;
  }

  @Test
  void resultRowsAreThoseOfTheIntervalInBenchmarkSqlsShape() throws IOException {
    run(ResultRows.ALL, 1);
    assertGolden("result.csv", Files.readString(directory.data().resolve("result.csv")));
  }

  @Test
  void perSecondFileTellsEverySecondAndType() throws IOException {
    run(ResultRows.NONE, 1);
    String text = Files.readString(directory.data().resolve("per_second.csv"));
    assertThat(text.lines()).hasSize(1 + 60 * 6);
    String busy =
        text.lines()
            .filter(
                line ->
                    line.startsWith("run")
                        || line.startsWith("7,21,")
                        || line.startsWith("7,22,")
                        || line.startsWith("7,31,"))
            .reduce("", (a, b) -> a + b + "\n");
    assertGolden("per_second_part.csv", busy);
  }

  @Test
  void errorsFileHasARowForEachClassAndSecond() throws IOException {
    ResultFiles files =
        ResultFiles.open(
            directory,
            new ResultFiles.FileLayout(7, TestTypes.TPCC, ResultRows.NONE, 1),
            failures::add);
    Path file = directory.data().resolve("errors.csv");
    String header = "run,second,ttype,disposition,sqlstate,count,retried\n";
    assertThat(file).as("before anything happened").hasContent(header);
    files.errors(3, List.of(new ErrorResult("PAYMENT", "DEADLOCK", "40P01", 5, 4, 0, List.of())));
    files.errors(
        5, List.of(new ErrorResult("NEW_ORDER", "OTHER_ERROR", "a,b\n", 1, 0, 0, List.of())));
    files.flush();
    assertThat(file)
        .hasContent(
            header + "7,3,PAYMENT,DEADLOCK,40P01,5,4\n" + "7,5,NEW_ORDER,OTHER_ERROR,a_b_,1,0\n");
    files.close();
  }

  /** What latency.R does: counts per type over runMins, and a quantile of integers. */
  @Test
  void readsAsBenchmarkSqlsRScriptsReadIt() throws IOException {
    RunStatistics statistics = run(ResultRows.ALL, 1);
    RFrame frame = RFrame.read(directory.data().resolve("result.csv"));
    assertThat(frame.columns())
        .containsExactly(
            "run", "elapsed", "latency", "dblatency", "ttype", "rbk", "dskipped", "error");
    for (String column : List.of("run", "elapsed", "latency", "dblatency", "rbk", "dskipped")) {
      assertThat(frame.integers(column)).as(column).allMatch(value -> value >= 0);
    }
    assertThat(frame.integers("elapsed")).allMatch(elapsed -> elapsed < 60_000);
    assertThat(frame.integers("error").stream().mapToInt(e -> e).sum()).isEqualTo(1);
    assertThat(frame.integers("rbk").stream().mapToInt(e -> e).sum()).isEqualTo(1);
    assertThat(frame.table("ttype"))
        .isEqualTo(
            Map.of(
                "NEW_ORDER",
                21L,
                "PAYMENT",
                10L,
                "STOCK_LEVEL",
                1L,
                "DELIVERY",
                2L,
                "DELIVERY_BG",
                2L));
    // Their tpmC is the number of NEW_ORDER rows per runMins; ours as BenchmarkSQL counts is that.
    assertThat(statistics.perMinute(statistics.types().get(TestTypes.NEW_ORDER).count()))
        .isEqualTo(21.0);
  }

  @Test
  void samplingKeepsEveryNthOfEachType() throws IOException {
    run(ResultRows.SAMPLED, 4);
    assertThat(RFrame.read(directory.data().resolve("result.csv")).table("ttype"))
        .isEqualTo(
            Map.of(
                "NEW_ORDER",
                6L,
                "PAYMENT",
                3L,
                "STOCK_LEVEL",
                1L,
                "DELIVERY",
                1L,
                "DELIVERY_BG",
                1L));
  }

  @Test
  void withoutRowsThereIsStillAHeader() throws IOException {
    run(ResultRows.NONE, 1);
    assertThat(directory.data().resolve("result.csv"))
        .hasContent("run,elapsed,latency,dblatency,ttype,rbk,dskipped,error\n");
  }

  @Test
  void histogramLogHasALineOfATypeForTenSecondsAndOneForTheRest() throws IOException {
    ResultFiles files =
        ResultFiles.open(
            directory,
            new ResultFiles.FileLayout(7, List.of(TestTypes.TPCC.get(0)), ResultRows.NONE, 1, true),
            failures::add);
    files.begin(Instant.now());
    Histogram due = new Histogram(3);
    due.recordValue(1);
    Snapshot done = new Snapshot(TestTypes.TPCC.subList(0, 1), 0);
    for (long second = 0; second < 25; second++) {
      done.reset();
      done.types().get(0).add(new SecondFigures(1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1), due);
      files.second(second, done);
    }
    files.close();
    assertThat(spans("latency.hlog"))
        .containsExactly("0.000,10.000", "10.000,10.000", "20.000,5.000");
    assertThat(spans("second.hlog")).hasSize(25).startsWith("0.000,1.000").endsWith("24.000,1.000");
  }

  private List<String> spans(String file) throws IOException {
    try (Stream<String> lines = Files.lines(directory.data().resolve(file))) {
      return lines
          .filter(line -> line.startsWith("Tag="))
          .map(line -> String.join(",", List.of(line.split(",", -1)).subList(1, 3)))
          .toList();
    }
  }

  @Test
  void histogramLogIsReadByHdrHistogram() throws IOException {
    RunStatistics statistics = run(ResultRows.NONE, 1);
    Map<String, Histogram> sums = new HashMap<>();
    double start;
    try (InputStream in = Files.newInputStream(directory.data().resolve("latency.hlog"));
        HistogramLogReader reader = new HistogramLogReader(in)) {
      while (true) {
        EncodableHistogram next = reader.nextIntervalHistogram();
        if (next == null) {
          break;
        }
        Histogram part = (Histogram) next;
        sums.computeIfAbsent(Objects.requireNonNull(part.getTag()), tag -> new Histogram(3))
            .add(part);
      }
      start = reader.getStartTimeSec();
    }
    assertThat(of(sums, "NEW_ORDER").getTotalCount()).isEqualTo(20);
    assertThat(of(sums, "PAYMENT").getTotalCount()).isEqualTo(10);
    assertThat(sums).doesNotContainKey("ORDER_STATUS");
    assertThat(of(sums, "NEW_ORDER").getMaxValue() / 1_000_000.0)
        .isEqualTo(20, org.assertj.core.api.Assertions.within(0.02));
    assertThat(start).isGreaterThan((double) Instant.now().getEpochSecond());
    assertThat(statistics.outside()).isEqualTo(2);
  }

  @Test
  void txSummaryIsAsBenchmarkSql51WritesIt() throws IOException {
    RunStatistics statistics = run(ResultRows.NONE, 1);
    directory.writeSummary(SampleRun.result(statistics), statistics);
    assertGolden("tx_summary.csv", Files.readString(directory.data().resolve("tx_summary.csv")));
  }

  @Test
  void summaryIsAsDocumented() throws IOException {
    RunStatistics statistics = run(ResultRows.NONE, 1);
    directory.writeSummary(SampleRun.result(statistics), statistics);
    String text = Files.readString(directory.root().resolve("summary.json"));
    assertThat(text).doesNotContain("secret");
    // The moment of the error is this machine's: everything else is made up.
    assertGolden(
        "summary.json", text.replaceAll("\"firstSeenMillis\" : -?\\d+", "\"firstSeenMillis\" : 0"));
    JsonNode json = new ObjectMapper().readTree(text);
    assertThat(json.at("/rates/tpmC").asDouble()).isEqualTo(20.0);
    assertThat(json.at("/types/0/latencyMillis/all/due/count").asLong()).isEqualTo(20);
  }

  @Test
  void aFullDiskEndsTheFilesButNotTheRun() throws IOException {
    Map<String, FailingChannel> channels = new HashMap<>();
    ResultFiles files =
        new ResultFiles(
            name -> {
              FailingChannel channel =
                  new FailingChannel(name.equals("result.csv") ? 200 : 1_000_000);
              channels.put(name, channel);
              return channel;
            },
            new ResultFiles.FileLayout(7, TestTypes.TPCC, ResultRows.ALL, 1),
            failures::add);
    RunStatistics statistics = SampleRun.play(files);
    files.close();
    assertThat(SampleRun.result(statistics).headlinePerMinute()).isEqualTo(20.0);
    assertThat(failures)
        .containsExactly(
            "cannot write result files: No space left on device; they end here with their last"
                + " whole row, the run goes on");
    assertThat(files.failure()).isPresent();
    assertThat(channels.values()).noneMatch(FailingChannel::isOpen);
    String rows = of(channels, "result.csv").text();
    assertThat(rows).endsWith("\n").hasSizeBetween(150, 200);
    assertThat(rows.lines().skip(1)).allMatch(row -> row.split(",", -1).length == 8);
  }

  private static <V> V of(Map<String, V> map, String key) {
    return Objects.requireNonNull(map.get(key), key);
  }

  static void assertGolden(String name, String actual) throws IOException {
    try (InputStream in = ResultFilesTest.class.getResourceAsStream(name)) {
      String expected = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(actual).as("golden file %s", name).isEqualTo(expected);
    }
  }
}
