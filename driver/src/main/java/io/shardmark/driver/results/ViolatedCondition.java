package io.shardmark.driver.results;

import java.util.List;

/**
 * A consistency condition that did not hold during a run.
 *
 * @param condition clause and sentence
 * @param afterSeconds when the check began that found it, from the start of the measurement
 *     interval
 * @param rows that break it
 * @param samples the first of them, as {@code column=value} pairs
 */
public record ViolatedCondition(
    String condition, double afterSeconds, long rows, List<String> samples) {
  public ViolatedCondition {
    samples = List.copyOf(samples);
  }

  /** One line. */
  public String sentence() {
    return "%s: broken by %s after %s: %s"
        .formatted(
            condition,
            Texts.plural(rows, "row", "rows"),
            Texts.duration(afterSeconds),
            String.join("; ", samples));
  }
}
