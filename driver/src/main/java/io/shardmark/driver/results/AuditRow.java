package io.shardmark.driver.results;

import org.jspecify.annotations.Nullable;

/**
 * A bound on what the driver itself fed into the system, judged.
 *
 * @param clause of the benchmark's text
 * @param description what is bounded
 * @param unit {@code PERCENT} of the denominator or {@code AVERAGE} per denominator
 * @param low lowest value that passes
 * @param high highest value that passes
 * @param numerator above the fraction line
 * @param denominator below it: how many samples
 * @param value null without samples
 * @param verdict pass, fail or not judged
 * @param reason why it was not judged; may be empty
 */
public record AuditRow(
    String clause,
    String description,
    String unit,
    double low,
    double high,
    long numerator,
    long denominator,
    @Nullable Double value,
    AuditVerdict verdict,
    String reason) {
  private static final String PERCENT = "PERCENT";

  /** Whether the values are percentages; averages otherwise. */
  public boolean inPercent() {
    return unit.equals(PERCENT);
  }
}
