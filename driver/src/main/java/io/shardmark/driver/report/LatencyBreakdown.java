package io.shardmark.driver.report;

import java.util.Map;
import java.util.Optional;

/**
 * Percentiles by scope and kind of latency.
 *
 * @param figures only those with samples
 */
public record LatencyBreakdown(Map<ScopeAndKind, LatencyFigures> figures) {
  public LatencyBreakdown {
    figures = Map.copyOf(figures);
  }

  public Optional<LatencyFigures> of(Scope scope, Kind kind) {
    return Optional.ofNullable(figures.get(new ScopeAndKind(scope, kind)));
  }

  /** Which transactions, measured how. */
  public record ScopeAndKind(Scope scope, Kind kind) {}

  /** Which transactions. */
  public enum Scope {
    ALL("all"),
    /** Stayed in one partition. */
    LOCAL("local"),
    /** Touched more than one. */
    DISTRIBUTED("distributed");

    private final String member;

    Scope(String member) {
      this.member = member;
    }

    String member() {
      return member;
    }
  }

  /** Measured from where to where; docs/measurement.md explains them. */
  public enum Kind {
    DUE("due"),
    SERVICE("service"),
    QUEUE_WAIT("queueWait"),
    CONNECTION_WAIT("connectionWait");

    private final String member;

    Kind(String member) {
      this.member = member;
    }

    String member() {
      return member;
    }
  }

  /** Milliseconds. */
  public record LatencyFigures(
      long count,
      double mean,
      double p50,
      double p90,
      double p95,
      double p99,
      double p999,
      double max) {}
}
