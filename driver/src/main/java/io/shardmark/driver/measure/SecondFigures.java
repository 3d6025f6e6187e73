package io.shardmark.driver.measure;

/**
 * What one type did in one second. Latencies are due-time latencies of successes in nanoseconds, 0
 * if there was none.
 *
 * @param count transactions that ended in this second, however they ended
 * @param rolledBack those that were rolled back on purpose
 * @param errors those that ended in an error
 * @param retries how often they had been tried again
 */
public record SecondFigures(
    long count,
    long committed,
    long rolledBack,
    long errors,
    long retries,
    long sumNanos,
    long minNanos,
    long maxNanos,
    long p50Nanos,
    long p95Nanos,
    long p99Nanos) {
  public long successes() {
    return committed + rolledBack;
  }
}
