package io.shardmark.driver.measure;

import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import java.util.Arrays;

/** Latencies of every kind, single- and cross-partition transactions apart. Immutable. */
@SuppressWarnings("EnumOrdinal") // indexes small arrays of this process; never stored
final class ScopedLatencies {
  private final LatencyHistogram[] local;
  private final LatencyHistogram[] distributed;

  /** Copies both; each holds one histogram for each {@link LatencyKind}. */
  ScopedLatencies(LatencyHistogram[] local, LatencyHistogram[] distributed) {
    this.local = copyOf(local);
    this.distributed = copyOf(distributed);
  }

  static ScopedLatencies empty() {
    int kinds = LatencyKind.values().length;
    LatencyHistogram[] none = new LatencyHistogram[kinds];
    Arrays.setAll(none, kind -> new LatencyHistogram());
    return new ScopedLatencies(none, none);
  }

  private static LatencyHistogram[] copyOf(LatencyHistogram[] histograms) {
    LatencyHistogram[] copy = new LatencyHistogram[histograms.length];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = histograms[i].copy();
    }
    return copy;
  }

  /** Adds what others measured; only while this object is being made. */
  void add(ScopedLatencies other) {
    for (LatencyKind kind : LatencyKind.values()) {
      local[kind.ordinal()].add(other.local[kind.ordinal()]);
      distributed[kind.ordinal()].add(other.distributed[kind.ordinal()]);
    }
  }

  void addTo(LatencyHistogram sum, LatencyKind kind, Scope scope) {
    if (scope != Scope.DISTRIBUTED) {
      sum.add(local[kind.ordinal()]);
    }
    if (scope != Scope.LOCAL) {
      sum.add(distributed[kind.ordinal()]);
    }
  }
}
