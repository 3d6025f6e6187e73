package io.shardmark.driver.audit;

import io.shardmark.driver.workload.AuditRule;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Compares shares and averages of a run's inputs with their bounds.
 *
 * <p>A short run cannot meet a bound that is narrower than chance: of 200 New-Orders between 0 and
 * 6 are rolled back, whatever generates them, while the bound is 0.9 to 1.1 percent. A value that
 * is out of bounds, but no further than three standard deviations from the middle of the bounds, is
 * therefore not judged, and the result says how few samples there were. For a bound that is open to
 * one side ("at least 43 percent") the bound itself takes the place of the middle.
 */
public final class InputAudit {
  private static final double SIGMAS = 3;

  private InputAudit() {}

  /**
   * @param counters sums over all workers, as {@link
   *     io.shardmark.driver.workload.Transaction#countInto} filled them
   */
  public static List<AuditResult> evaluate(List<AuditRule> rules, long[] counters) {
    return rules.stream()
        .map(rule -> judge(rule, counters[rule.numerator()], counters[rule.denominator()]))
        .toList();
  }

  private static AuditResult judge(AuditRule rule, long numerator, long denominator) {
    if (denominator == 0) {
      String reason = rule.notApplicable().isEmpty() ? "none in this run" : rule.notApplicable();
      return new AuditResult(
          rule,
          numerator,
          denominator,
          OptionalDouble.empty(),
          AuditVerdict.NOT_APPLICABLE,
          reason);
    }
    double value = factor(rule) * numerator / denominator;
    String reason = rule.notApplicable();
    AuditVerdict verdict;
    if (!reason.isEmpty()) {
      verdict = AuditVerdict.NOT_APPLICABLE;
    } else if (value >= rule.low() && value <= rule.high()) {
      verdict = AuditVerdict.PASS;
    } else if (Math.abs(value - expected(rule, value))
        <= SIGMAS * sigma(rule, value, denominator)) {
      verdict = AuditVerdict.NOT_APPLICABLE;
      reason = "chance: 3 sigma of %d samples".formatted(denominator);
    } else {
      verdict = AuditVerdict.FAIL;
    }
    return new AuditResult(rule, numerator, denominator, OptionalDouble.of(value), verdict, reason);
  }

  private static double factor(AuditRule rule) {
    return switch (rule.unit()) {
      case PERCENT -> 100;
      case AVERAGE -> 1;
    };
  }

  /** What the value should be about: the middle, or the only bound there is. */
  private static double expected(AuditRule rule, double value) {
    boolean openBelow = rule.low() <= 0;
    boolean openAbove = rule.high() >= (rule.unit() == AuditRule.Unit.PERCENT ? 100 : 1e300);
    if (openBelow || openAbove) {
      return value < rule.low() ? rule.low() : rule.high();
    }
    return (rule.low() + rule.high()) / 2;
  }

  /**
   * Standard deviation of the value if its expectation is right: of a share by the binomial
   * distribution; of an average by taking the variance of one sample to be the mean, as for counts
   * (order lines, uniform from 5 to 15, have mean 10 and variance 10).
   */
  private static double sigma(AuditRule rule, double value, long samples) {
    double expected = expected(rule, value);
    return switch (rule.unit()) {
      case PERCENT -> {
        double share = expected / 100;
        yield 100 * Math.sqrt(share * (1 - share) / samples);
      }
      case AVERAGE -> Math.sqrt(expected / samples);
    };
  }
}
