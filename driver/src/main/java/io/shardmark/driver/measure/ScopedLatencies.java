package io.shardmark.driver.measure;

import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Latencies of every kind, single- and cross-partition transactions apart. Used by one thread while
 * it is filled, not changed afterwards.
 */
record ScopedLatencies(
    Map<LatencyKind, LatencyHistogram> local, Map<LatencyKind, LatencyHistogram> distributed) {
  private static final LatencyKind[] KINDS = LatencyKind.values();

  ScopedLatencies {
    Set<LatencyKind> all = Set.of(KINDS);
    if (!local.keySet().equals(all) || !distributed.keySet().equals(all)) {
      throw new IllegalArgumentException("latencies of some kinds are missing");
    }
  }

  /** Empty ones. */
  ScopedLatencies() {
    this(empty(), empty());
  }

  private static Map<LatencyKind, LatencyHistogram> empty() {
    Map<LatencyKind, LatencyHistogram> empty = new EnumMap<>(LatencyKind.class);
    for (LatencyKind kind : KINDS) {
      empty.put(kind, new LatencyHistogram());
    }
    return empty;
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
