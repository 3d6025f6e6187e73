package io.shardmark.driver.verify;

import java.time.Duration;
import java.util.List;

/**
 * One condition and what became of it.
 *
 * @param reason why it is not applicable, the database's message of an error, or a hint that goes
 *     with a failure; otherwise empty
 * @param offendingRows number of rows (warehouses, districts, orders, ... as the condition has it)
 *     that break the condition, from 0
 * @param samples the first of these rows in key order, at most {@value #MAX_SAMPLES}, each as
 *     {@code column=value} pairs
 */
public record ConditionResult(
    String clause,
    String sentence,
    Verdict verdict,
    String reason,
    long offendingRows,
    List<String> samples,
    Duration duration) {

  /** How many offending rows are kept as text. */
  public static final int MAX_SAMPLES = 10;

  public ConditionResult {
    samples = List.copyOf(samples);
  }

  /** Of a condition of which no row is known to break it. */
  static ConditionResult without(
      String clause, String sentence, Verdict verdict, String reason, Duration duration) {
    return new ConditionResult(clause, sentence, verdict, reason, 0, List.of(), duration);
  }

  /** As {@link Condition#name}. */
  String name() {
    return clause + " " + sentence;
  }
}
