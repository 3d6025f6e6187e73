package io.shardmark.driver.measure;

import io.shardmark.driver.benchmark.TransactionType;
import java.util.EnumMap;
import java.util.Map;

/** Sums up one type over the whole measurement interval. Used by the collector thread only. */
@SuppressWarnings("EnumOrdinal") // indexes a small array of this process; never stored
final class TypeCollector {
  private final TransactionType type;
  private final long[] counts = new long[Disposition.values().length];
  private final ScopedLatencies latencies = new ScopedLatencies();
  private final LatencyHistogram errorLatency = new LatencyHistogram();
  private final Undone undone = new Undone();
  private long retries;
  private long retriedTransactions;
  private long skipped;

  TypeCollector(TransactionType type) {
    this.type = type;
  }

  void add(Sample sample) {
    Disposition disposition = sample.disposition();
    counts[disposition.ordinal()]++;
    int tries = sample.retries();
    retries += tries;
    retriedTransactions += tries > 0 ? 1 : 0;
    if (disposition.isError()) {
      // Apart from the successes: errors that fail at once would make the percentiles look better.
      errorLatency.record(sample.dueLatencyNanos());
      return;
    }
    skipped += sample.skipped();
    latencies.record(sample);
  }

  boolean isCounted() {
    return type.counted();
  }

  /**
   * So many were due and not done when the interval ended.
   *
   * @param never true if they have not ended well later either
   */
  void addUndone(long ageNanos, long count, boolean touchesSeveral, boolean never) {
    undone.add(ageNanos, count, touchesSeveral, never);
  }

  TypeStatistics statistics() {
    Map<Disposition, Long> dispositions = new EnumMap<>(Disposition.class);
    for (Disposition disposition : Disposition.values()) {
      dispositions.put(disposition, counts[disposition.ordinal()]);
    }
    return new TypeStatistics(
        type,
        dispositions,
        new TypeStatistics.Retries(retries, retriedTransactions),
        skipped,
        latencies.copy(),
        errorLatency.copy(),
        undone.copy());
  }
}
