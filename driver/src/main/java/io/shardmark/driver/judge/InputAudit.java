package io.shardmark.driver.judge;

import io.shardmark.driver.benchmark.AuditRule;
import io.shardmark.driver.benchmark.AuditRule.AuditUnit;
import io.shardmark.driver.results.AuditRow;
import io.shardmark.driver.results.AuditVerdict;
import java.util.List;

/**
 * Compares shares and averages of a run's inputs with their bounds.
 *
 * <p>A short run cannot meet a bound that is narrower than chance: of 200 New-Orders between 0 and
 * 6 are rolled back, whatever generates them, while the bound is 0.9 to 1.1 percent. A value that
 * is out of bounds therefore fails only if chance does not explain it: if an honest run would be so
 * far from the middle of the bounds less often than {@link Limits#MOST_FALSE_ALARMS}, all rules of
 * the run together. For a bound that is open to one side ("at least 43 percent") the bound itself
 * takes the place of the middle. In a large run chance is narrower than the bounds, and they alone
 * decide.
 */
public final class InputAudit {
  private InputAudit() {}

  /**
   * @param counters sums over all workers, as {@link
   *     io.shardmark.driver.benchmark.Transaction#countInto} filled them
   */
  public static List<AuditRow> evaluate(List<AuditRule> rules, long[] counters) {
    double leastChance = Limits.MOST_FALSE_ALARMS / Math.max(1, rules.size());
    return rules.stream()
        .map(
            rule ->
                judge(rule, counters[rule.numerator()], counters[rule.denominator()], leastChance))
        .toList();
  }

  /** Of a whole audit: it fails by one rule, and passes if enough of its rules were judged. */
  public static AuditVerdict overall(List<AuditRow> rows) {
    if (rows.stream().anyMatch(row -> row.verdict() == AuditVerdict.FAIL)) {
      return AuditVerdict.FAIL;
    }
    long passed = rows.stream().filter(row -> row.verdict() == AuditVerdict.PASS).count();
    return passed > 0 && passed >= Limits.LEAST_JUDGED_SHARE * rows.size()
        ? AuditVerdict.PASS
        : AuditVerdict.NOT_APPLICABLE;
  }

  private static AuditRow judge(
      AuditRule rule, long numerator, long denominator, double leastChance) {
    Double value = denominator == 0 ? null : factor(rule) * numerator / denominator;
    String reason = rule.notApplicable();
    AuditVerdict verdict = AuditVerdict.NOT_APPLICABLE;
    if (value == null) {
      reason = reason.isEmpty() ? "none in this run" : reason;
    } else if (reason.isEmpty()) {
      if (value >= rule.low() && value <= rule.high()) {
        verdict = AuditVerdict.PASS;
      } else if (chance(rule, value, denominator) >= leastChance) {
        reason = "too few to judge: %d samples".formatted(denominator);
      } else {
        verdict = AuditVerdict.FAIL;
      }
    }
    return new AuditRow(
        rule.clause(),
        rule.description(),
        rule.unit().name(),
        rule.low(),
        rule.high(),
        numerator,
        denominator,
        value,
        verdict,
        reason);
  }

  private static double factor(AuditRule rule) {
    return switch (rule.unit()) {
      case PERCENT -> 100;
      case AVERAGE -> 1;
    };
  }

  private static boolean isOpenToOneSide(AuditRule rule) {
    return rule.low() <= 0 || rule.high() >= (rule.unit() == AuditUnit.PERCENT ? 100 : 1e300);
  }

  /** What the value should be about: the middle, or the only bound there is. */
  private static double expected(AuditRule rule, double value) {
    if (isOpenToOneSide(rule)) {
      return value < rule.low() ? rule.low() : rule.high();
    }
    return (rule.low() + rule.high()) / 2;
  }

  /**
   * How likely, at most, a value so far from its expectation is in an honest run. Chernoff's bound,
   * which holds for any number of samples, a few as well as millions: of a share that of the
   * binomial distribution; of an average that of a distribution whose variance is its mean, as it
   * is of order lines (uniform from 5 to 15: mean 10, variance 10).
   */
  private static double chance(AuditRule rule, double value, long samples) {
    double expected = expected(rule, value);
    double exponent =
        switch (rule.unit()) {
          case PERCENT -> divergence(value / 100, expected / 100);
          case AVERAGE -> (value - expected) * (value - expected) / (2 * expected);
        };
    double oneSide = Math.exp(-samples * exponent);
    return isOpenToOneSide(rule) ? oneSide : 2 * oneSide;
  }

  /** Kullback and Leibler's divergence of a coin with one share from a coin with another. */
  private static double divergence(double share, double expected) {
    return term(share, expected) + term(1 - share, 1 - expected);
  }

  private static double term(double share, double expected) {
    return share <= 0 ? 0 : share * Math.log(share / expected);
  }
}
