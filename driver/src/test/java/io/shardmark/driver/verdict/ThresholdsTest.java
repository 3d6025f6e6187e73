package io.shardmark.driver.verdict;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.results.Finding;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.MadeRun;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.QuietTime;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.VerdictKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ThresholdsTest {
  private static final List<String> METRICS = List.of("tpmC", "tpmTotal");
  private static final List<String> TYPES = List.of("NEW_ORDER", "PAYMENT");

  private static final RunVerdict LIMITED =
      new RunVerdict(List.of(new Finding(VerdictKind.LIMITED, "", "")));

  /** Of 1,000 transactions 15 failed; no payment was made. */
  private static final RunResult RUN =
      new MadeRun()
          .with(
              MadeRun.type(
                  "NEW_ORDER",
                  985,
                  Map.of("DEADLOCK", 15L),
                  Latency.of(985, 10, 10, 100, 200, 499.96, 700, 900)),
              MadeRun.type("PAYMENT", 0, Map.of()))
          .with(Latency.of(985, 10, 10, 100, 200, 500, 700, 2500))
          .with(LIMITED, new Metric("tpmC", "/min", 30_000, null, Map.of(), true))
          .result();

  private static List<String> results(String failOn) {
    return Thresholds.parse(failOn, TYPES, METRICS).stream()
        .map(threshold -> threshold.check(RUN, requireNonNull(RUN.verdict())).sentence())
        .toList();
  }

  @Test
  void eachConditionIsListedWithWhatWasMeasured() {
    assertThat(results("errors>1%, NEW_ORDER.p99>500ms,tpmC<30000, verdict!=clean"))
        .containsExactly(
            "errors>1%: 1.5 %, BROKEN",
            "NEW_ORDER.p99>500ms: 500 ms, kept",
            "tpmC<30000: 30,000, kept",
            "verdict!=clean: limited, BROKEN");
    assertThat(results("errors > 1.5 %, errors>=1.5%, tpmC<=30000, NEW_ORDER.p99.9>0.7s"))
        .containsExactly(
            "errors > 1.5 %: 1.5 %, kept",
            "errors>=1.5%: 1.5 %, BROKEN",
            "tpmC<=30000: 30,000, BROKEN",
            "NEW_ORDER.p99.9>0.7s: 700 ms, kept");
    assertThat(results("max>2s, verdict=server-lost, verdict=limited"))
        .containsExactly(
            "max>2s: 2500 ms, BROKEN",
            "verdict=server-lost: limited, kept",
            "verdict=limited: limited, BROKEN");
  }

  private static String outage(QuietTime quiet, LoadFigures load, long successes) {
    RunResult run =
        new MadeRun()
            .with(MadeRun.type("NEW_ORDER", successes, Map.of()))
            .with(quiet)
            .with(load)
            .result();
    return Thresholds.parse("outageAtEnd>=2s", TYPES, METRICS)
        .get(0)
        .check(run, RunJudge.of(run))
        .sentence();
  }

  private static LoadFigures atEnd(long inFlight, long brokenOff) {
    return new LoadFigures(0, 0, 0, 0, 0, 0, inFlight, brokenOff);
  }

  /** However it came: the server of these runs closed no connection. */
  @Test
  void anOutageAtTheEndIsTheTimeWithoutASuccess() {
    assertThat(outage(new QuietTime(17, 83, 17), atEnd(10, 0), 8_300))
        .isEqualTo("outageAtEnd>=2s: 17000 ms, BROKEN");
    assertThat(outage(new QuietTime(20, 5, 3), atEnd(10, 0), 8_300))
        .isEqualTo("outageAtEnd>=2s: 3000 ms, BROKEN");
    // Terminals that key and think leave pauses.
    assertThat(outage(new QuietTime(17, 83, 17), atEnd(1, 0), 83))
        .isEqualTo("outageAtEnd>=2s: 0 ms, kept");
  }

  /** Of a server that stops answering just before the end only the time after it can say so. */
  @Test
  void whatTheGracePeriodBreaksOffIsAnOutageTooIfNothingElseEnded() {
    assertThat(outage(QuietTime.NONE, atEnd(10, 10), 8_300))
        .isEqualTo("outageAtEnd>=2s: 15000 ms, BROKEN");
    assertThat(outage(new QuietTime(17, 83, 17), atEnd(1, 1), 83))
        .isEqualTo("outageAtEnd>=2s: 32000 ms, BROKEN");
    // One terminal waits for one lock.
    assertThat(outage(QuietTime.NONE, atEnd(10, 1), 8_300))
        .isEqualTo("outageAtEnd>=2s: 0 ms, kept");
  }

  @Test
  void whatCannotBeMeasuredIsBroken() {
    assertThat(results("PAYMENT.p99>500ms"))
        .containsExactly("PAYMENT.p99>500ms: nothing to measure, BROKEN");
  }

  @Test
  void noneIsNoneAndTheDefaultCanBeRead() {
    assertThat(Thresholds.parse("none", TYPES, METRICS)).isEmpty();
    assertThat(Thresholds.parse(Thresholds.DEFAULT, TYPES, METRICS)).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "errors            | 'errors': expected a condition such as errors>1% or NEW_ORDER.p99>500ms, or none",
        "errors>1%,        | '': expected a condition such as errors>1% or NEW_ORDER.p99>500ms, or none",
        "errors>>1%        | 'errors>>1%': expected a percentage such as 1% for errors",
        "errors>1          | 'errors>1': expected a percentage such as 1% for errors",
        "errors=1%         | 'errors=1%': expected one of > >= < <= for errors",
        "p99>500           | 'p99>500': expected a time such as 500ms or 2s for p99",
        "p99>-5ms          | 'p99>-5ms': expected a time such as 500ms or 2s for p99",
        "tpmC<30000ms      | 'tpmC<30000ms': expected a number such as 30000 for tpmC",
        "NEWORDER.p99>1s   | 'NEWORDER.p99>1s': expected a transaction type before the dot, one of NEW_ORDER, PAYMENT",
        "NEW_ORDER.tpmC<1  | 'NEW_ORDER.tpmC<1': expected after the dot one of errors, mean, p50, p90, p95, p99, p99.9, max",
        "latency>1s        | 'latency>1s': expected one of errors, tpmC, tpmTotal, mean, p50, p90, p95, p99, p99.9, max, outageAtEnd, verdict",
        "verdict>clean     | 'verdict>clean': expected = or != for verdict",
        "verdict=good      | 'verdict=good': expected one of aborted, incomplete, server-lost, errors, stalled, rate-not-held, driver-bound, machine-saturated, limited, too-short, clean",
      })
  void whatItDoesNotUnderstandItRefusesInOneLine(String failOn, String message) {
    assertThatThrownBy(() -> Thresholds.parse(failOn, TYPES, METRICS))
        .isInstanceOf(ConfigException.class)
        .hasMessage("failOn: " + message);
  }
}
