package io.shardmark.driver.verdict;

import io.shardmark.driver.results.Latencies;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.ThresholdResult;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.results.VerdictKind;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * One condition of the key {@code failOn}: if it holds, the run has failed.
 *
 * @param text as it was written
 * @param subject transaction type it is about, empty for all counted ones; the name of a metric
 * @param quantity what is measured
 * @param comparison how that is compared
 * @param bound with what, in the quantity's unit; 0 for a verdict
 * @param verdict with what, for a verdict; empty for all others
 */
public record Threshold(
    String text,
    String subject,
    Quantity quantity,
    Comparison comparison,
    double bound,
    Optional<VerdictKind> verdict) {
  /** Below it a metric is shown with decimals. */
  private static final double SMALL = 100;

  /** In what a bound is given. */
  enum Unit {
    /** 0 .. 100, written with {@code %}. */
    PERCENT,
    /** A plain number, in the metric's unit. */
    PLAIN,
    /** Milliseconds, written with {@code ms} or {@code s}. */
    MILLIS,
    /** A key of {@link VerdictKind}. */
    VERDICT
  }

  /** What is measured. */
  public enum Quantity {
    ERRORS("errors", Unit.PERCENT, true),
    /** One of the benchmark's metrics, which has a name of its own. */
    METRIC("", Unit.PLAIN, false),
    MEAN("mean", Unit.MILLIS, true),
    P50("p50", Unit.MILLIS, true),
    P90("p90", Unit.MILLIS, true),
    P95("p95", Unit.MILLIS, true),
    P99("p99", Unit.MILLIS, true),
    P99_9("p99.9", Unit.MILLIS, true),
    MAX("max", Unit.MILLIS, true),
    /** How long before the end the last transaction succeeded, of a run that lost its server. */
    OUTAGE_AT_END("outageAtEnd", Unit.MILLIS, false),
    VERDICT("verdict", Unit.VERDICT, false);

    private final String key;
    private final Unit unit;
    private final boolean byType;

    Quantity(String key, Unit unit, boolean byType) {
      this.key = key;
      this.unit = unit;
      this.byType = byType;
    }

    String key() {
      return key;
    }

    Unit unit() {
      return unit;
    }

    /** Whether single types have it. */
    boolean isByType() {
      return byType;
    }
  }

  /** How a measured value is compared with its bound. */
  public enum Comparison {
    ABOVE(">"),
    AT_LEAST(">="),
    BELOW("<"),
    AT_MOST("<="),
    IS("="),
    IS_NOT("!=");

    private final String sign;

    Comparison(String sign) {
      this.sign = sign;
    }

    String sign() {
      return sign;
    }

    private boolean holds(int compared) {
      return switch (this) {
        case ABOVE -> compared > 0;
        case AT_LEAST -> compared >= 0;
        case BELOW -> compared < 0;
        case AT_MOST -> compared <= 0;
        case IS -> compared == 0;
        case IS_NOT -> compared != 0;
      };
    }
  }

  /**
   * Compares. What cannot be measured, such as a latency without a success, is broken.
   *
   * @param run with all figures but its verdict
   * @param worth its verdict
   */
  public ThresholdResult check(RunResult run, RunVerdict worth) {
    if (verdict.isPresent()) {
      boolean same = worth.kind() == verdict.get();
      return new ThresholdResult(text, worth.kind().key(), same == (comparison == Comparison.IS));
    }
    OptionalDouble value =
        switch (quantity) {
          case ERRORS -> errors(run);
          case METRIC -> run.metric(subject).stream().mapToDouble(Metric::value).findFirst();
          case OUTAGE_AT_END ->
              OptionalDouble.of(
                  worth.has(VerdictKind.SERVER_LOST) ? 1000.0 * run.quiet().secondsAtEnd() : 0);
          case MEAN -> latency(run, Latency::mean);
          case P50 -> latency(run, Latency::p50);
          case P90 -> latency(run, Latency::p90);
          case P95 -> latency(run, Latency::p95);
          case P99 -> latency(run, Latency::p99);
          case P99_9 -> latency(run, Latency::p999);
          case MAX -> latency(run, Latency::max);
          case VERDICT -> throw new IllegalStateException("a verdict has no number");
        };
    if (value.isEmpty()) {
      return new ThresholdResult(text, "nothing to measure", true);
    }
    double measured = value.getAsDouble();
    return new ThresholdResult(
        text, shown(measured), comparison.holds(Double.compare(measured, bound)));
  }

  private boolean isSubject(TypeResult type) {
    return type.name().equals(subject);
  }

  /** Of those that ended, in percent: of one type, or of all with their deferred parts. */
  private OptionalDouble errors(RunResult run) {
    long errors = 0;
    long all = 0;
    for (TypeResult type : run.types()) {
      if (subject.isEmpty() || isSubject(type)) {
        errors += type.errors();
        all += type.count();
      }
    }
    return all == 0 ? OptionalDouble.empty() : OptionalDouble.of(100.0 * errors / all);
  }

  /** From due to done, of successes. */
  private OptionalDouble latency(RunResult run, ToDoubleFunction<Latency> figure) {
    Latencies latencies =
        subject.isEmpty()
            ? run.latencyMillis()
            : run.types().stream()
                .filter(this::isSubject)
                .findFirst()
                .map(TypeResult::latencyMillis)
                .orElseThrow(
                    () -> new IllegalStateException("a type of another workload: " + subject));
    return latencies.of(Scope.ALL, LatencyKind.DUE).stream()
        .filter(latency -> latency.count() > 0)
        .mapToDouble(figure)
        .findFirst();
  }

  private String shown(double measured) {
    return switch (quantity.unit()) {
      case PERCENT -> Texts.number(measured) + " %";
      case PLAIN -> measured < SMALL ? Texts.number(measured) : Texts.count(measured);
      case MILLIS -> Texts.number(measured) + " ms";
      case VERDICT -> throw new IllegalStateException("a verdict has no number");
    };
  }
}
