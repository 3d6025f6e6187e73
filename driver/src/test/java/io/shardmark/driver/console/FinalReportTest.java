package io.shardmark.driver.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.result.SampleRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FinalReportTest {
  private final List<String> lines =
      FinalReport.lines(SampleRun.summary(SampleRun.play(SampleSink.NONE)));

  @Test
  void startsWithTheVerdictAndAllItsFindings() {
    assertThat(lines.subList(0, 9))
        .satisfiesExactly(
            line -> assertThat(line).isEmpty(),
            line -> assertThat(line).isEmpty(),
            line -> assertThat(line).startsWith("Verdict: transactions failed: 2.78 % of all"),
            line -> assertThat(line).startsWith("Also:    stood still: "),
            line -> assertThat(line).startsWith("Also:    too short or too few to say: "),
            line -> assertThat(line).isEqualTo("failOn errors>10%: 2.78 %, kept"),
            line -> assertThat(line).isEqualTo("failOn NEW_ORDER.p99>5ms: 20 ms, BROKEN"),
            line -> assertThat(line).startsWith("Bottleneck: Locks limited the run, most"),
            line -> assertThat(line).isEmpty());
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

  @Test
  void goesOnWithWhatBenchmarkSqlDoesNotTell() throws IOException {
    try (InputStream in = FinalReportTest.class.getResourceAsStream("final_report.txt")) {
      String expected = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(String.join("\n", lines) + "\n").isEqualTo(expected);
    }
  }
}
