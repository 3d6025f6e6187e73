package io.shardmark.driver.measure;

import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import java.util.EnumMap;
import java.util.Map;

/** What one type of transaction did in the measurement interval. Immutable. */
public final class TypeStatistics {
  private final TransactionType type;
  private final Map<Disposition, Long> dispositions;
  private final Retries retries;
  private final long skipped;
  private final ScopedLatencies latencies;
  private final LatencyHistogram errorLatency;
  private final Undone undone;

  /**
   * @param count how often a transaction was tried again
   * @param transactions how many transactions that was
   */
  public record Retries(long count, long transactions) {}

  TypeStatistics(
      TransactionType type,
      Map<Disposition, Long> dispositions,
      Retries retries,
      long skipped,
      ScopedLatencies latencies,
      LatencyHistogram errorLatency,
      Undone undone) {
    this.type = type;
    this.dispositions = Map.copyOf(dispositions);
    this.retries = retries;
    this.skipped = skipped;
    this.latencies = latencies;
    this.errorLatency = errorLatency;
    this.undone = undone;
  }

  /**
   * Latencies as they were kept.
   *
   * @param local of transactions that stayed in one partition, one for each kind
   * @param distributed of those that did not, one for each kind
   * @param errors due-time latencies of failed transactions
   * @param undone ages of those that were not done when the interval ended
   */
  public record KeptLatencies(
      Map<LatencyKind, LatencyTotals> local,
      Map<LatencyKind, LatencyTotals> distributed,
      LatencyTotals errors,
      UndoneTotals undone) {
    public KeptLatencies {
      local = Map.copyOf(local);
      distributed = Map.copyOf(distributed);
    }
  }

  /**
   * Statistics that were kept.
   *
   * @param dispositions how many transactions ended how; none where one is missing
   */
  public static TypeStatistics of(
      TransactionType type,
      Map<Disposition, Long> dispositions,
      Retries retries,
      long skipped,
      KeptLatencies latencies) {
    return new TypeStatistics(
        type,
        dispositions,
        retries,
        skipped,
        new ScopedLatencies(latencies.local(), latencies.distributed()),
        LatencyHistogram.of(latencies.errors()),
        Undone.of(latencies.undone()));
  }

  public TransactionType type() {
    return type;
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

  public Retries retries() {
    return retries;
  }

  /** Units of work of successes that found nothing to do (TPC-C 2.7.4.2). */
  public long skipped() {
    return skipped;
  }

  /**
   * Latencies of the successes. Those from due on are raised by transactions that were not done
   * when the interval ended, where these were older already; such figures are marked as lower
   * bounds.
   */
  public Latency latency(LatencyKind kind, Scope scope) {
    LatencyHistogram done = merged(kind, scope);
    return kind == LatencyKind.DUE ? undone.raise(done, scope) : done.figures();
  }

  /** How many were due and not done when the interval ended; they are in no count. */
  public long undone() {
    return undone.count();
  }

  /** Due-time latencies of those that ended in an error; no other figure contains them. */
  public Latency errorLatency() {
    return errorLatency.figures();
  }

  /** All latencies, to be kept. */
  public KeptLatencies kept() {
    Map<LatencyKind, LatencyTotals> local = new EnumMap<>(LatencyKind.class);
    Map<LatencyKind, LatencyTotals> distributed = new EnumMap<>(LatencyKind.class);
    for (LatencyKind kind : LatencyKind.values()) {
      local.put(kind, merged(kind, Scope.LOCAL).totals());
      distributed.put(kind, merged(kind, Scope.DISTRIBUTED).totals());
    }
    return new KeptLatencies(local, distributed, errorLatency.totals(), undone.totals());
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
    errorSum.add(errorLatency);
    undoneSum.add(undone);
  }

  void addTo(Undone sum) {
    sum.add(undone);
  }

  private LatencyHistogram merged(LatencyKind kind, Scope scope) {
    LatencyHistogram sum = new LatencyHistogram();
    latencies.addTo(sum, kind, scope);
    return sum;
  }
}
