package io.shardmark.driver.benchmark;

/**
 * A bound on what the driver itself fed into the system (TPC-C 9.2.2.5): a share or an average over
 * the inputs of the measurement interval.
 *
 * @param clause the clause that sets the bound, for example {@code 9.2.2.5.1}
 * @param description what is bounded, for example {@code New-Order transactions rolled back}
 * @param unit {@link AuditUnit#PERCENT} of the denominator or {@link AuditUnit#AVERAGE} per
 *     denominator
 * @param numerator index of the counter above the fraction line
 * @param denominator index of the counter below it
 * @param low lowest value that passes, in the unit
 * @param high highest value that passes, in the unit
 * @param notApplicable why the rule cannot be judged in this run (a key changed the share on
 *     purpose), empty if it can
 */
public record AuditRule(
    String clause,
    String description,
    AuditUnit unit,
    int numerator,
    int denominator,
    double low,
    double high,
    String notApplicable) {
  /** How numerator and denominator make a value. */
  public enum AuditUnit {
    PERCENT,
    AVERAGE
  }

  /** The same rule, not applicable for this reason; applicable if it is empty. */
  public AuditRule unless(String reason) {
    return new AuditRule(clause, description, unit, numerator, denominator, low, high, reason);
  }
}
