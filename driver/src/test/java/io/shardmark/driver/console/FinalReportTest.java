package io.shardmark.driver.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.measure.TestTypes;
import io.shardmark.driver.recorder.SampleRun;
import io.shardmark.driver.results.Adversity;
import io.shardmark.driver.results.EventResult;
import io.shardmark.driver.results.EventWindow;
import io.shardmark.driver.results.MadeRun;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.estimate.Interval;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FinalReportTest {
  private final List<String> lines =
      FinalReport.lines(SampleRun.result(SampleRun.play(SampleSink.NONE)));

  /** The last thing that a user sees is what came out. */
  @Test
  void theOutcomeIsTheVerdictWithAllItsFindingsAndTheMainFigures() {
    RunResult run = SampleRun.result(SampleRun.play(SampleSink.NONE));
    assertThat(FinalReport.outcome(run, Map.of("tpmC", new Interval(18.1, 22.9))))
        .satisfiesExactly(
            line -> assertThat(line).isEmpty(),
            line -> assertThat(line).startsWith("Verdict: transactions failed: 2.78 % of all"),
            line -> assertThat(line).startsWith("Also:    stood still: "),
            line -> assertThat(line).startsWith("Also:    too short or too few to say: "),
            line -> assertThat(line).isEqualTo("failOn errors 2.78 % (limit 10 %): ok"),
            line -> assertThat(line).isEqualTo("failOn NEW_ORDER.p99 20 ms (limit 5 ms): BROKEN"),
            line -> assertThat(line).startsWith("Bottleneck: Locks limited the run, most"),
            line -> assertThat(line).isEqualTo("tpmC 20 (95 %: 18.1 to 22.9)    tpmTotal 33"),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "p99 in ms: NEW_ORDER 20, PAYMENT 8, STOCK_LEVEL 4, DELIVERY 0.5,"
                            + " DELIVERY_BG 64"));
  }

  @Test
  void onATerminalOwnLinesStandBareInAHundredColumns() {
    assertThat(RunConsole.wrapped("Verdict: clean.", 100)).containsExactly("Verdict: clean.");
    assertThat(RunConsole.wrapped("a b c d e f g h", 9)).containsExactly("a b c d e", "    f g h");
    assertThat(RunConsole.wrapped("/a/long/path/of/one/word", 9))
        .containsExactly("/a/long/path/of/one/word");
    assertThat(lines)
        .filteredOn(line -> !line.contains(": ") && !line.startsWith("  "))
        .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(100));
  }

  @Test
  void hasTheLinesThatScriptsSearchToTheLetter() {
    assertThat(lines)
        .containsSequence(
            "",
            "Measured tpmC (NewOrders) = 20.0",
            "Measured tpmTOTAL = 33.0",
            "Session Start     = 2026-11-20 21:37:11",
            "Session End       = 2026-11-20 21:38:21",
            "Transaction Count = 33");
  }

  /** Without limits of response times there is nothing to be met or missed. */
  @Test
  void anotherBenchmarkHasItsOwnFigures() {
    List<TransactionType> types =
        TestTypes.TPCC.stream()
            .map(type -> TransactionType.unpaced(type.index(), type.name(), 3))
            .toList();
    List<MetricRule> metrics =
        List.of(
            MetricRule.rate("tps", "/s", MetricRule.Computation.COMMITS_PER_SECOND),
            MetricRule.rate("qps", "/s", MetricRule.Computation.OPERATIONS_PER_SECOND));
    String text =
        String.join(
            "\n",
            FinalReport.lines(
                SampleRun.result(SampleRun.play(SampleSink.NONE, types), metrics, null)));

    assertThat(text)
        .contains("\n\nMeasured tps = 0.58\n", "\nMeasured qps = 1.75\nSession Start")
        .doesNotContain("tpm", "p90 limit", "MISSED", "met\n", "none\n", "As BenchmarkSQL counts");
  }

  @Test
  void aLongNameOfAnEventMovesAllColumns() {
    EventWindow window = new EventWindow(30, 100, 4.5);
    EventWindow none = new EventWindow(0, 0, null);
    List<EventResult> events =
        List.of(
            new EventResult(
                "crash", "x", 60.1, 12.5, "", window, window, window, 99.6, 14.0, null, 7, 3, 1),
            new EventResult(
                "an index on order lines",
                "x",
                90,
                2,
                "",
                none,
                window,
                none,
                null,
                null,
                null,
                0,
                0,
                0));
    assertThat(AdversityLines.of(new Adversity(events, null)))
        .containsExactly(
            "",
            "Events, successes a second before, during and after; times in s:",
            "                           at  took  before  during  after   dip   back  failed  lost  wrong",
            "  crash                    60  12.5   100.0   100.0  100.0  100%  never       7     3      1",
            "  an index on order lines  90   2.0       -   100.0      -     -      -       0     0      0");
  }

  /** A time of 0 would be the best there is. */
  @Test
  void whereNothingSucceededThereIsNoResponseTime() {
    RunResult run = MadeRun.full(SampleRun.result(SampleRun.play(SampleSink.NONE)));
    assertThat(FinalReport.lines(run))
        .anyMatch(line -> line.matches("  held +40 +2 +0( +–){5}"))
        .anyMatch(line -> line.matches("2 +1m:0 .* - +-"));

    RunResult failed =
        new MadeRun().with(MadeRun.type("PAYMENT", 0, Map.of("DEADLOCK", 15L))).result();
    assertThat(new LatencyLines(failed).lines())
        .containsSequence(
            "type              count    mean     p50     p90     p95     p99   p99.9     max",
            "PAYMENT               0  15 failed, none succeeded");
  }

  @Test
  void goesOnWithWhatBenchmarkSqlDoesNotTell() throws IOException {
    try (InputStream in = FinalReportTest.class.getResourceAsStream("final_report.txt")) {
      String expected = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(String.join("\n", lines) + "\n").isEqualTo(expected);
    }
  }
}
