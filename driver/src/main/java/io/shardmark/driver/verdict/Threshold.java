package io.shardmark.driver.verdict;

import io.shardmark.driver.results.ThresholdResult;
import io.shardmark.driver.results.VerdictKind;
import java.util.Optional;
import java.util.OptionalDouble;

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

  /** Where the figures of a run come from. */
  public interface Measured {
    /**
     * In the quantity's unit; empty if there was nothing to measure.
     *
     * @param subject a transaction type, empty for all counted ones; the name of a metric
     */
    OptionalDouble value(String subject, Quantity quantity);

    VerdictKind verdict();
  }

  /** Compares. What cannot be measured, such as a latency without a success, is broken. */
  public ThresholdResult check(Measured run) {
    if (verdict.isPresent()) {
      VerdictKind kind = run.verdict();
      boolean same = kind == verdict.get();
      return new ThresholdResult(text, kind.key(), same == (comparison == Comparison.IS));
    }
    OptionalDouble value = run.value(subject, quantity);
    if (value.isEmpty()) {
      return new ThresholdResult(text, "nothing to measure", true);
    }
    double measured = value.getAsDouble();
    return new ThresholdResult(
        text, shown(measured), comparison.holds(Double.compare(measured, bound)));
  }

  private String shown(double measured) {
    return switch (quantity.unit()) {
      case PERCENT -> Figures.number(measured) + " %";
      case PLAIN -> measured < SMALL ? Figures.number(measured) : Figures.count(measured);
      case MILLIS -> Figures.number(measured) + " ms";
      case VERDICT -> throw new IllegalStateException("a verdict has no number");
    };
  }
}
