package io.shardmark.driver.measure;

import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Latencies of one type's transactions, of those within one partition or of those across several:
 * of each kind those of the successes, and what was due and not done. Used by one thread while it
 * is filled, not changed afterwards.
 */
record ScopedLatencies(Map<LatencyKind, LatencyHistogram> done, Undone undone) {
  private static final LatencyKind[] KINDS = LatencyKind.values();

  ScopedLatencies {
    if (!done.keySet().equals(Set.of(KINDS))) {
      throw new IllegalArgumentException("latencies of some kinds are missing");
    }
  }

  ScopedLatencies() {
    this(
        new EnumMap<>(
            Map.of(
                LatencyKind.DUE, new LatencyHistogram(),
                LatencyKind.SERVICE, new LatencyHistogram(),
                LatencyKind.QUEUE_WAIT, new LatencyHistogram(),
                LatencyKind.CONNECTION_WAIT, new LatencyHistogram())),
        new Undone());
  }

  /** A success. */
  void record(Sample sample) {
    for (LatencyKind kind : KINDS) {
      done(kind).record(sample.latencyNanos(kind));
    }
  }

  void add(ScopedLatencies other) {
    done.forEach((kind, sum) -> sum.add(other.done(kind)));
    undone.add(other.undone);
  }

  void reset() {
    done.values().forEach(LatencyHistogram::reset);
    undone.reset();
  }

  LatencyHistogram done(LatencyKind kind) {
    return Objects.requireNonNull(done.get(kind));
  }

  /** Those from due on are raised by what was not done. */
  Latency figures(LatencyKind kind) {
    return kind == LatencyKind.DUE ? undone.raise(done(kind)) : done(kind).figures();
  }
}
