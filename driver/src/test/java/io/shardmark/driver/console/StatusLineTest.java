package io.shardmark.driver.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.measure.LiveFigures;
import io.shardmark.driver.measure.SuccessCounts;
import io.shardmark.driver.measure.TestTypes;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StatusLineTest {
  private static final long MEGABYTE = 1 << 20;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final RunConsole console =
      new RunConsole(
          new PrintStream(bytes, true, StandardCharsets.UTF_8),
          Clock.fixed(Instant.parse("2026-11-20T21:37:10.581Z"), ZoneOffset.UTC));

  private static LiveFigures live(
      LiveFigures.LivePhase phase, int seconds, Optional<Duration> left) {
    return new LiveFigures(
        phase,
        Duration.ofSeconds(seconds),
        left,
        8175,
        3,
        successes(49_047_518, 0, 60_000_000_000_000L),
        successes(22_010, 28_002, 60_000_000_000L),
        12_345_678);
  }

  private static SuccessCounts successes(long newOrders, long payments, long nanos) {
    return new SuccessCounts(List.of(newOrders, payments, 0L, 0L, 0L, 0L), nanos);
  }

  private StatusLine ofTpcc(StatusLine.LineMode mode) {
    return new StatusLine(
        console, mode, TestTypes.TPCC, List.of(TestTypes.TPM_C, TestTypes.TPM_TOTAL));
  }

  @Test
  void anotherBenchmarkHasItsOwnRates() {
    StatusLine status =
        new StatusLine(
            console,
            StatusLine.LineMode.LINES,
            List.of(TransactionType.unpaced(0, "oltp_read_write", 20)),
            List.of(
                MetricRule.rate("tps", "/s", MetricRule.Computation.COMMITS_PER_SECOND),
                MetricRule.rate("medianSecond", "/s", MetricRule.Computation.MEDIAN_SECOND),
                MetricRule.rate("qps", "/s", MetricRule.Computation.OPERATIONS_PER_SECOND)));
    LiveFigures live =
        new LiveFigures(
            LiveFigures.LivePhase.MEASURING,
            Duration.ofSeconds(10),
            Optional.of(Duration.ofSeconds(5)),
            105,
            0,
            new SuccessCounts(List.of(105L), 10_000_000_000L),
            new SuccessCounts(List.of(51L), 5_000_000_000L),
            1_000_000);

    status.update(live, 45 * MEGABYTE, 96 * MEGABYTE);

    assertThat(printed())
        .contains("Running Average tps: 10.50    Current tps: 10.2    Memory Usage: 45MB / 96MB")
        .endsWith("96MB    qps: 204.0    p95: 1.0 ms    errors: 0    left: 00:00:05\n");
  }

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8).replace(Thread.currentThread().getName(), "main");
  }

  @Test
  void onATerminalItIsRewrittenInBenchmarkSqlsShape() {
    StatusLine status = ofTpcc(StatusLine.LineMode.IN_PLACE);
    status.update(
        live(LiveFigures.LivePhase.MEASURING, 1, Optional.empty()), 45 * MEGABYTE, 96 * MEGABYTE);
    String text =
        "Term-00, Running Average tpmTOTAL: 49047.52    Current tpmTOTAL: 50012"
            + "    Memory Usage: 45MB / 96MB          ";
    assertThat(printed()).isEqualTo(text);
    status.update(
        live(LiveFigures.LivePhase.MEASURING, 2, Optional.empty()), 46 * MEGABYTE, 96 * MEGABYTE);
    assertThat(printed())
        .isEqualTo(text + "\b".repeat(text.length()) + text.replace("45MB", "46MB"));
    status.end();
    assertThat(printed()).endsWith("          \n");
  }

  @Test
  void inALogItIsALineEveryTenSecondsAndSomeBefore() {
    StatusLine status = ofTpcc(StatusLine.LineMode.LINES);
    for (int second = 0; second <= 21; second++) {
      status.update(
          live(
              second < 15 ? LiveFigures.LivePhase.RAMP_UP : LiveFigures.LivePhase.MEASURING,
              second,
              Optional.of(Duration.ofMillis(3_700_000 - second * 1000L))),
          45 * MEGABYTE,
          96 * MEGABYTE);
    }
    status.end();
    String figures =
        "21:37:10,581 [main] INFO   jTPCC : Term-00, Running Average tpmTOTAL: 49047.52"
            + "    Current tpmTOTAL: 50012    Memory Usage: 45MB / 96MB"
            + "    tpmC: 22010    p95: 12.3 ms    errors: 3    ";
    assertThat(printed().lines())
        .containsExactly(
            figures + "ramp-up, left: 01:01:39",
            figures + "ramp-up, left: 01:01:38",
            figures + "ramp-up, left: 01:01:35",
            figures + "ramp-up, left: 01:01:30",
            figures + "left: 01:01:20");
  }

  @Test
  void aRunByTransactionsShowsHowManyAreDone() {
    StatusLine status = ofTpcc(StatusLine.LineMode.LINES);
    status.update(live(LiveFigures.LivePhase.MEASURING, 10, Optional.empty()), 0, 0);
    assertThat(printed()).endsWith("errors: 3    transactions: 8175\n");
  }
}
