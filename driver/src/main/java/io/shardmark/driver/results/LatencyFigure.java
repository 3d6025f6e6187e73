package io.shardmark.driver.results;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** One figure of a set of latencies, as tables name it. */
public enum LatencyFigure {
  /** A transaction that is not done may lie above any mean. */
  MEAN("mean", Latency::mean, 100),
  P50("p50", Latency::p50, 50),
  P90("p90", Latency::p90, 90),
  P95("p95", Latency::p95, 95),
  P99("p99", Latency::p99, 99),
  P999("p99.9", Latency::p999, 99.9),
  MAX("max", Latency::max, 100);

  /** Of tables with other figures too. */
  public static final List<LatencyFigure> SOME = List.of(MEAN, P50, P90, P99, MAX);

  /** All but the mean. */
  public static final List<LatencyFigure> PERCENTILES = List.of(P50, P90, P95, P99, P999, MAX);

  private final String text;

  @SuppressWarnings("ImmutableEnumChecker") // a method of a record
  private final ToDoubleFunction<Latency> source;

  private final double percentile;

  LatencyFigure(String text, ToDoubleFunction<Latency> source, double percentile) {
    this.text = text;
    this.source = source;
    this.percentile = percentile;
  }

  public String text() {
    return text;
  }

  /** The share of samples that are at most this; 100 for the maximum, and for the mean. */
  public double percentile() {
    return percentile;
  }

  /** In milliseconds. */
  public double of(Latency latency) {
    return source.applyAsDouble(latency);
  }

  /** {@code ≥ 2,514}: in milliseconds, with a mark if it is a lower bound. */
  public String shown(Latency latency) {
    return (isLowerBound(latency) ? "≥ " : "") + Texts.three(of(latency));
  }

  /** {@code ≥ 2,514 ms}, or in seconds. */
  public String withUnit(Latency latency) {
    return (isLowerBound(latency) ? "≥ " : "") + Texts.latency(of(latency));
  }

  /** True if it may be higher than is known. */
  public boolean isLowerBound(Latency latency) {
    return latency.isLowerBound(percentile);
  }
}
