package io.shardmark.driver.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.measure.LiveFigures;
import io.shardmark.driver.measure.LiveFigures.Phase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StatusLineTest {
  private static final long MEGABYTE = 1 << 20;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final RunConsole console =
      new RunConsole(
          new PrintStream(bytes, true, StandardCharsets.UTF_8),
          Clock.fixed(Instant.parse("2026-11-20T21:37:10.581Z"), ZoneOffset.UTC));

  private static LiveFigures live(Phase phase, int seconds, Optional<Duration> left) {
    return new LiveFigures(
        phase, Duration.ofSeconds(seconds), left, 8175, 3, 49047.518, 50012, 22010, 12_345_678);
  }

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8).replace(Thread.currentThread().getName(), "main");
  }

  @Test
  void onATerminalItIsRewrittenInBenchmarkSqlsShape() {
    StatusLine status = new StatusLine(console, StatusLine.Mode.IN_PLACE);
    status.update(live(Phase.MEASURING, 1, Optional.empty()), 45 * MEGABYTE, 96 * MEGABYTE);
    String text =
        "Term-00, Running Average tpmTOTAL: 49047.52    Current tpmTOTAL: 50012"
            + "    Memory Usage: 45MB / 96MB          ";
    assertThat(printed()).isEqualTo(text);
    status.update(live(Phase.MEASURING, 2, Optional.empty()), 46 * MEGABYTE, 96 * MEGABYTE);
    assertThat(printed())
        .isEqualTo(text + "\b".repeat(text.length()) + text.replace("45MB", "46MB"));
    status.end();
    assertThat(printed()).endsWith("          \n");
  }

  @Test
  void inALogItIsALineEveryTenSeconds() {
    StatusLine status = new StatusLine(console, StatusLine.Mode.LINES);
    for (int second = 0; second <= 21; second++) {
      status.update(
          live(
              second < 15 ? Phase.RAMP_UP : Phase.MEASURING,
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
    assertThat(printed())
        .isEqualTo(figures + "ramp-up, left: 01:01:30\n" + figures + "left: 01:01:20\n");
  }

  @Test
  void aRunByTransactionsShowsHowManyAreDone() {
    StatusLine status = new StatusLine(console, StatusLine.Mode.LINES);
    status.update(live(Phase.MEASURING, 10, Optional.empty()), 0, 0);
    assertThat(printed()).endsWith("errors: 3    transactions: 8175\n");
  }
}
