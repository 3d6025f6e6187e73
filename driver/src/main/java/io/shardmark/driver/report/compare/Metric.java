package io.shardmark.driver.report.compare;

import io.shardmark.driver.results.Latency;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A figure of a run.
 *
 * @param name as tables show it
 * @param throughput whether more is better and parts of a run have it too
 * @param source reads it; NaN if it is not known
 */
public record Metric(String name, boolean throughput, ToDoubleFunction<Measurement> source) {
  public static final Metric TPM_C = new Metric("tpmC", true, run -> run.rates().tpmC());
  public static final Metric TPM_TOTAL =
      new Metric("tpmTotal", true, run -> run.rates().tpmTotal());

  /** Counted transactions that ended in an error, of all counted ones. */
  public static final Metric FAILED_PERCENT =
      new Metric(
          "failed %",
          false,
          run ->
              100.0 * run.rates().failed() / (run.rates().failed() + run.rates().transactions()));

  /** The percentiles that are shown, with the names of {@code summary.json} but for the last. */
  public static final List<Percentile> PERCENTILES =
      List.of(
          new Percentile("p50", Latency::p50),
          new Percentile("p90", Latency::p90),
          new Percentile("p95", Latency::p95),
          new Percentile("p99", Latency::p99),
          new Percentile("p99.9", Latency::p999),
          new Percentile("max", Latency::max));

  /** One of them. */
  public record Percentile(String name, ToDoubleFunction<Latency> source) {
    public double of(Latency figures) {
      return source.applyAsDouble(figures);
    }
  }

  /** A percentile of one type. */
  static Metric latency(String type, Percentile percentile) {
    return new Metric(
        percentile.name() + " " + type,
        false,
        run -> {
          Latency figures = run.latencies().get(type);
          return figures == null || figures.count() == 0 ? Double.NaN : percentile.of(figures);
        });
  }

  /**
   * A percentile of New-Orders.
   *
   * @param percentile one of the names above
   */
  public static Metric headline(String percentile) {
    return PERCENTILES.stream()
        .filter(one -> one.name().equals(percentile))
        .findFirst()
        .map(one -> latency(Comparison.HEADLINE, one))
        .orElseThrow(() -> new IllegalArgumentException(percentile));
  }

  double of(Measurement run) {
    return source.applyAsDouble(run);
  }
}
