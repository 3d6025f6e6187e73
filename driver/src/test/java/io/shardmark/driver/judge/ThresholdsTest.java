package io.shardmark.driver.judge;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.results.AcidResult;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.driver.results.AuditRow;
import io.shardmark.driver.results.AuditVerdict;
import io.shardmark.driver.results.Finding;
import io.shardmark.driver.results.Latencies;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.MadeRun;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.QuietTime;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.results.VerdictKind;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
            "errors 1.5 % (limit 1 %): BROKEN",
            "NEW_ORDER.p99 499.96 ms (limit 500 ms): ok",
            "tpmC 30,000 (at least 30,000): ok",
            "verdict limited (verdict!=clean): BROKEN");
    assertThat(results("errors > 1.5 %, errors>=1.5%, tpmC<=30000, NEW_ORDER.p99.9>0.7s"))
        .containsExactly(
            "errors 1.5 % (limit 1.5 %): ok",
            "errors 1.5 % (below 1.5 %): BROKEN",
            "tpmC 30,000 (above 30,000): BROKEN",
            "NEW_ORDER.p99.9 700 ms (limit 0.7 s): ok");
    assertThat(results("max>2s, verdict=server-lost, verdict=limited"))
        .containsExactly(
            "max 2,500 ms (limit 2 s): BROKEN",
            "verdict limited (verdict=server-lost): ok",
            "verdict limited (verdict=limited): BROKEN");
  }

  /** A script's name becomes its type. */
  @Test
  void typesMayHaveDigits() {
    List<String> types = List.of("UPDATE_2", "2PC", "ÄNDERN");
    assertThat(Thresholds.parse("UPDATE_2.p99.9>5s, 2PC.errors>1%, ÄNDERN.max>1s", types, METRICS))
        .hasSize(3);
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
        .isEqualTo("outageAtEnd 17,000 ms (below 2 s): BROKEN");
    assertThat(outage(new QuietTime(20, 5, 3), atEnd(10, 0), 8_300))
        .isEqualTo("outageAtEnd 3,000 ms (below 2 s): BROKEN");
    // Terminals that key and think leave pauses.
    assertThat(outage(new QuietTime(17, 83, 17), atEnd(1, 0), 83))
        .isEqualTo("outageAtEnd 0 ms (below 2 s): ok");
  }

  /** Of a server that stops answering just before the end only the time after it can say so. */
  @Test
  void whatTheGracePeriodBreaksOffIsAnOutageTooIfNothingElseEnded() {
    assertThat(outage(QuietTime.NONE, atEnd(10, 10), 8_300))
        .isEqualTo("outageAtEnd 15,000 ms (below 2 s): BROKEN");
    assertThat(outage(new QuietTime(17, 83, 17), atEnd(1, 1), 83))
        .isEqualTo("outageAtEnd 32,000 ms (below 2 s): BROKEN");
    // One terminal waits for one lock.
    assertThat(outage(QuietTime.NONE, atEnd(10, 1), 8_300))
        .isEqualTo("outageAtEnd 0 ms (below 2 s): ok");
  }

  private static AuditRow rule(AuditVerdict verdict) {
    return new AuditRow("5.2.3", "a share", "PERCENT", 0, 1, 1, 9, 1.0, verdict, "");
  }

  private static String audited(String failOn, AuditVerdict... verdicts) {
    RunResult run =
        new MadeRun()
            .with(MadeRun.type("NEW_ORDER", 985, Map.of()))
            .with(LIMITED)
            .with(Stream.of(verdicts).map(ThresholdsTest::rule).toList())
            .result();
    return Thresholds.parse(failOn, TYPES, METRICS).get(0).check(run, LIMITED).sentence();
  }

  @Test
  void theInputAuditCanFailARun() {
    AuditVerdict pass = AuditVerdict.PASS;
    AuditVerdict unjudged = AuditVerdict.NOT_APPLICABLE;
    assertThat(audited("audit!=pass", pass, pass, unjudged))
        .isEqualTo("audit pass (audit!=pass): ok");
    assertThat(audited("audit!=pass", pass, AuditVerdict.FAIL, unjudged))
        .isEqualTo("audit fail (audit!=pass): BROKEN");
    assertThat(audited("audit!=pass", pass, unjudged, unjudged))
        .isEqualTo("audit not-judged (audit!=pass): BROKEN");
    assertThat(audited("audit=fail", pass, unjudged, unjudged))
        .isEqualTo("audit not-judged (audit=fail): ok");
    assertThat(audited("audit!=pass")).isEqualTo("audit not-judged (audit!=pass): BROKEN");
  }

  @Test
  void theWorstOfTheTestsOfClause3CanFailARun() {
    AcidResult pass = new AcidResult("3.2.2.1", "a Payment", AcidVerdict.PASS, "");
    AcidResult phantom = new AcidResult("3.4.2.8", "a phantom", AcidVerdict.PERMITTED, "");
    assertThat(tested("acid!=pass", pass, pass)).isEqualTo("acid pass (acid!=pass): ok");
    assertThat(tested("acid!=pass", pass, phantom))
        .isEqualTo("acid permitted (acid!=pass): BROKEN");
    assertThat(tested("acid=fail", pass, phantom)).isEqualTo("acid permitted (acid=fail): ok");
    assertThat(tested("acid!=pass")).isEqualTo("acid skipped (acid!=pass): BROKEN");
  }

  private static String tested(String failOn, AcidResult... tests) {
    RunResult run = new MadeRun().acid(tests).with(LIMITED).result();
    return Thresholds.parse(failOn, TYPES, METRICS).get(0).check(run, LIMITED).sentence();
  }

  private static TypeResult type(@Nullable Boolean met) {
    Latencies none = Latencies.NONE;
    return new TypeResult(
        "NEW_ORDER", true, true, 985, 985, 0, 0, null, 0, 0, 0, 0, 5000, met, Map.of(), none);
  }

  private static String limited(String failOn, @Nullable Boolean... met) {
    RunResult run =
        new MadeRun()
            .with(Stream.of(met).map(ThresholdsTest::type).toArray(TypeResult[]::new))
            .with(LIMITED)
            .result();
    return Thresholds.parse(failOn, TYPES, METRICS).get(0).check(run, LIMITED).sentence();
  }

  @Test
  void theResponseTimeLimitsCanFailARun() {
    assertThat(limited("limits!=met", true, null)).isEqualTo("limits met (limits!=met): ok");
    assertThat(limited("limits!=met", true, false))
        .isEqualTo("limits missed (limits!=met): BROKEN");
    assertThat(limited("limits=missed", true, false))
        .isEqualTo("limits missed (limits=missed): BROKEN");
    assertThat(limited("limits!=met", null, null))
        .isEqualTo("limits not-judged (limits!=met): BROKEN");
  }

  /** 0.995 % is not "1 %" beside a limit of 1 %, nor is 1.004 %. */
  @Test
  void aFigureIsNotRoundedOntoItsLimit() {
    assertThat(shareOfErrors(10_040)).isEqualTo("errors 1.004 % (limit 1 %): BROKEN");
    assertThat(shareOfErrors(9_997)).isEqualTo("errors 0.9997 % (limit 1 %): ok");
    assertThat(shareOfErrors(10_000)).isEqualTo("errors 1 % (limit 1 %): ok");
    assertThat(shareOfErrors(0)).isEqualTo("errors 0 % (limit 1 %): ok");
  }

  private static String shareOfErrors(long ofMillion) {
    RunResult run =
        new MadeRun()
            .with(MadeRun.type("NEW_ORDER", 1_000_000 - ofMillion, Map.of("DEADLOCK", ofMillion)))
            .with(LIMITED)
            .result();
    return Thresholds.parse("errors>1%", TYPES, METRICS).get(0).check(run, LIMITED).sentence();
  }

  @Test
  void whatCannotBeMeasuredIsBroken() {
    assertThat(results("PAYMENT.p99>500ms"))
        .containsExactly("PAYMENT.p99 nothing to measure (limit 500 ms): BROKEN");
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
        "latency>1s        | 'latency>1s': expected one of errors, tpmC, tpmTotal, mean, p50, p90, p95, p99, p99.9, max, outageAtEnd, verdict, audit, acid, limits",
        "verdict>clean     | 'verdict>clean': expected = or != for verdict",
        "audit!=good       | 'audit!=good': expected one of pass, fail, not-judged",
        "acid!=good        | 'acid!=good': expected one of fail, error, skipped, permitted, pass",
        "limits<met        | 'limits<met': expected = or != for limits",
        "limits!=kept      | 'limits!=kept': expected one of met, missed, not-judged",
        "verdict=good      | 'verdict=good': expected one of aborted, inconsistent, incomplete, server-lost, errors, stalled, rate-not-held, driver-bound, driver-late, machine-saturated, shared-server, limited, never-steady, too-short, clean",
      })
  void whatItDoesNotUnderstandItRefusesInOneLine(String failOn, String message) {
    assertThatThrownBy(() -> Thresholds.parse(failOn, TYPES, METRICS))
        .isInstanceOf(ConfigException.class)
        .hasMessage("failOn=" + message);
  }
}
