package io.shardmark.driver.measure;

import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Latencies of every kind, single- and cross-partition transactions apart. Used by one thread while
 * it is filled, not changed afterwards.
 */
final class ScopedLatencies {
  private static final LatencyKind[] KINDS = LatencyKind.values();

  private final Map<LatencyKind, LatencyHistogram> local;
  private final Map<LatencyKind, LatencyHistogram> distributed;

  /** Empty ones. */
  ScopedLatencies() {
    local = new EnumMap<>(LatencyKind.class);
    distributed = new EnumMap<>(LatencyKind.class);
    for (LatencyKind kind : KINDS) {
      local.put(kind, new LatencyHistogram());
      distributed.put(kind, new LatencyHistogram());
    }
  }

  /** Those that were kept. */
  ScopedLatencies(
      Map<LatencyKind, LatencyTotals> keptLocal, Map<LatencyKind, LatencyTotals> keptDistributed) {
    this();
    local.forEach((kind, sum) -> sum.add(kept(keptLocal, kind)));
    distributed.forEach((kind, sum) -> sum.add(kept(keptDistributed, kind)));
  }

  private static LatencyHistogram kept(Map<LatencyKind, LatencyTotals> kept, LatencyKind kind) {
    LatencyTotals totals = kept.get(kind);
    if (totals == null) {
      throw new IllegalArgumentException("no latencies of kind " + kind);
    }
    return LatencyHistogram.of(totals);
  }

  /** A success. */
  void record(Sample sample) {
    for (LatencyKind kind : KINDS) {
      of(sample.distributed() ? distributed : local, kind).record(sample.latencyNanos(kind));
    }
  }

  void add(ScopedLatencies other) {
    local.forEach((kind, sum) -> other.addTo(sum, kind, Scope.LOCAL));
    distributed.forEach((kind, sum) -> other.addTo(sum, kind, Scope.DISTRIBUTED));
  }

  ScopedLatencies copy() {
    ScopedLatencies copy = new ScopedLatencies();
    copy.add(this);
    return copy;
  }

  void addTo(LatencyHistogram sum, LatencyKind kind, Scope scope) {
    if (scope != Scope.DISTRIBUTED) {
      sum.add(of(local, kind));
    }
    if (scope != Scope.LOCAL) {
      sum.add(of(distributed, kind));
    }
  }

  private static LatencyHistogram of(
      Map<LatencyKind, LatencyHistogram> histograms, LatencyKind kind) {
    return Objects.requireNonNull(histograms.get(kind));
  }
}
