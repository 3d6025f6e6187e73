package io.shardmark.driver.measure;

import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import java.util.Map;

/**
 * What one type of transaction did in the measurement interval. Immutable.
 *
 * @param dispositions how many transactions ended how; none where one is missing
 * @param skipped units of work of successes that found nothing to do (TPC-C 2.7.4.2)
 * @param latencies of the successes
 * @param failed due-time latencies of those that ended in an error
 * @param ages of those that were due and not done when the interval ended
 */
public record TypeStatistics(
    TransactionType type,
    Map<Disposition, Long> dispositions,
    Retries retries,
    long skipped,
    ScopedLatencies latencies,
    LatencyHistogram failed,
    Undone ages) {
  /**
   * @param count how often a transaction was tried again
   * @param transactions how many transactions that was
   */
  public record Retries(long count, long transactions) {}

  public TypeStatistics {
    dispositions = Map.copyOf(dispositions);
  }

  /** Transactions that ended so. */
  public long count(Disposition disposition) {
    return dispositions.getOrDefault(disposition, 0L);
  }

  /** All transactions that ended in the interval, however they ended. */
  public long count() {
    return successes() + errors();
  }

  /** Committed, or rolled back on purpose (TPC-C 2.4.1.4). */
  public long successes() {
    return count(Disposition.COMMITTED) + count(Disposition.ROLLED_BACK);
  }

  public long errors() {
    long errors = 0;
    for (Map.Entry<Disposition, Long> entry : dispositions.entrySet()) {
      errors += entry.getKey().isError() ? entry.getValue() : 0;
    }
    return errors;
  }

  /**
   * Latencies of the successes. Those from due on are raised by transactions that were not done
   * when the interval ended, where these were older already; such figures are marked as lower
   * bounds.
   */
  public Latency latency(LatencyKind kind, Scope scope) {
    LatencyHistogram done = merged(kind, scope);
    return kind == LatencyKind.DUE ? ages.raise(done, scope) : done.figures();
  }

  /** How many were due and not done when the interval ended; they are in no count. */
  public long undone() {
    return ages.count();
  }

  /** Due-time latencies of those that ended in an error; no other figure contains them. */
  public Latency errorLatency() {
    return failed.figures();
  }

  /**
   * A quantile of the due-time latencies as R's {@code quantile} computes it by default.
   *
   * @param share 0 .. 1
   */
  public double dueQuantileType7Nanos(double share) {
    return merged(LatencyKind.DUE, Scope.ALL).quantileType7Nanos(share);
  }

  void addTo(LatencyHistogram sum, LatencyKind kind, Scope scope) {
    latencies.addTo(sum, kind, scope);
  }

  void addTo(ScopedLatencies sum, LatencyHistogram errorSum, Undone undoneSum) {
    sum.add(latencies);
    errorSum.add(failed);
    undoneSum.add(ages);
  }

  void addTo(Undone sum) {
    sum.add(ages);
  }

  private LatencyHistogram merged(LatencyKind kind, Scope scope) {
    LatencyHistogram sum = new LatencyHistogram();
    latencies.addTo(sum, kind, scope);
    return sum;
  }
}
