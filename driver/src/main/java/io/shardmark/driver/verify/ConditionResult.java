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

  /** Of a condition that was asked. */
  static ConditionResult of(
      Condition condition, long offendingRows, List<String> samples, Duration duration) {
    boolean holds = offendingRows == 0;
    return new ConditionResult(
        condition.clause(),
        condition.sentence(),
        holds ? Verdict.PASS : Verdict.FAIL,
        holds ? "" : condition.hint(),
        offendingRows,
        samples,
        duration);
  }

  /** Of a condition of which no row is known to break it. */
  static ConditionResult without(
      Condition condition, Verdict verdict, String reason, Duration duration) {
    return new ConditionResult(
        condition.clause(), condition.sentence(), verdict, reason, 0, List.of(), duration);
  }
}
