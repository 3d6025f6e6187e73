package io.shardmark.driver.measure;

/**
 * How long one statement of one type of transaction took in the measurement interval, failed
 * executions included.
 *
 * @param typeIndex of the type
 * @param statement its text, or COMMIT, or ROLLBACK; a batch, and several statements sent at once,
 *     are one
 * @param latency from the call to the answer, with how many there were
 */
public record StatementFigures(int typeIndex, String statement, LatencyFigures latency) {
  /** Of all executions together. */
  public long totalNanos() {
    return latency.meanNanos() * latency.count();
  }
}
