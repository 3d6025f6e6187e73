package io.shardmark.driver.results;

import java.util.List;

/**
 * Errors of one class: raised by the database or the driver, tried again or not.
 *
 * @param disposition what failed, such as {@code DEADLOCK}
 * @param sqlState may be empty
 * @param count raised in the measurement interval
 * @param retried of those, after which the transaction was tried again
 * @param outside raised in the ramp-up or after the interval
 * @param examples the first distinct texts
 */
public record ErrorResult(
    String type,
    String disposition,
    String sqlState,
    long count,
    long retried,
    long outside,
    List<Example> examples) {
  public ErrorResult {
    examples = List.copyOf(examples);
  }

  /**
   * One text of a class.
   *
   * @param message first line, cut to a bounded length
   * @param firstSeenMillis when, from the start of the measurement interval; negative in the
   *     ramp-up
   */
  public record Example(String message, long firstSeenMillis) {}
}
