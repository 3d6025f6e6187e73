package io.shardmark.driver.results;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A named figure that a benchmark is judged by.
 *
 * @param name as files, thresholds and tables have it
 * @param unit such as {@code /min}
 * @param value over the measurement interval, failed transactions left out
 * @param asBenchmarkSql the same as BenchmarkSQL counts, failed transactions included; null where
 *     it has no such figure
 * @param weights what a success of a type adds to a rate, by type; empty for a figure that is no
 *     rate
 * @param higherIsBetter whether a larger value is the better one
 */
public record Metric(
    String name,
    String unit,
    double value,
    @Nullable Double asBenchmarkSql,
    Map<String, Long> weights,
    boolean higherIsBetter) {
  private static final String PER_MINUTE = "/min";

  public Metric {
    weights = TypeResult.ordered(weights);
  }

  /** True if it is a count over time, so that parts of a run have it too. */
  public boolean rate() {
    return !weights.isEmpty();
  }

  /** Of a rate: false if it counts the statements of a transaction. */
  public boolean countsTransactions() {
    return weights.values().stream().allMatch(weight -> weight == 1);
  }

  /** Of a rate: the seconds of its unit. */
  public int periodSeconds() {
    return unit.equals(PER_MINUTE) ? 60 : 1;
  }

  /** Of a rate: {@code minute} or {@code second}. */
  public String period() {
    return unit.equals(PER_MINUTE) ? "minute" : "second";
  }

  /** A rate of all successes of these types. */
  public static Metric perMinute(String name, double value, List<TypeResult> types) {
    Map<String, Long> weights = new LinkedHashMap<>();
    types.forEach(type -> weights.put(type.name(), 1L));
    return new Metric(name, PER_MINUTE, value, null, weights, true);
  }
}
