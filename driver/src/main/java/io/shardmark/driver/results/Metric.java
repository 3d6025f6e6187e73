package io.shardmark.driver.results;

import org.jspecify.annotations.Nullable;

/**
 * A named figure that a benchmark is judged by.
 *
 * @param name as files, thresholds and tables have it
 * @param unit such as {@code /min}
 * @param value over the measurement interval, failed transactions left out
 * @param asBenchmarkSql the same as BenchmarkSQL counts, failed transactions included; null where
 *     it has no such figure
 * @param interval that has the true value with 95 % confidence, as far as the steadiness of the run
 *     tells; null if it is not known
 * @param higherIsBetter whether a larger value is the better one
 */
public record Metric(
    String name,
    String unit,
    double value,
    @Nullable Double asBenchmarkSql,
    @Nullable Range interval,
    boolean higherIsBetter) {

  /** From low to high, in the metric's unit. */
  public record Range(double low, double high) {}
}
