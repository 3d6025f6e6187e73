package io.shardmark.driver.result;

import io.shardmark.driver.measure.LatencyFigures;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.VerdictKind;
import io.shardmark.driver.verdict.Threshold;
import io.shardmark.driver.verdict.Threshold.Quantity;
import java.util.OptionalDouble;

/** What thresholds are compared with. Latencies are from due to done, of successes. */
final class MeasuredRun implements Threshold.Measured {
  private final RunSummary summary;
  private final RunVerdict verdict;

  MeasuredRun(RunSummary summary) {
    this.summary = summary;
    verdict = summary.verdict();
  }

  @Override
  public VerdictKind verdict() {
    return verdict.kind();
  }

  @Override
  public OptionalDouble value(String type, Quantity quantity) {
    return switch (quantity) {
      case ERRORS -> errors(type);
      case METRIC ->
          Metrics.of(summary.metrics(), summary.statistics()).stream()
              .filter(metric -> metric.name().equals(type))
              .mapToDouble(Metric::value)
              .findFirst();
      case OUTAGE_AT_END -> OptionalDouble.of(outageMillis());
      case MEAN, P50, P90, P95, P99, P99_9, MAX -> latency(type, quantity);
      case VERDICT -> OptionalDouble.empty();
    };
  }

  /** Of those that ended, in percent: of one type, or of all with their deferred parts. */
  private OptionalDouble errors(String type) {
    long errors = 0;
    long all = 0;
    for (TypeStatistics one : summary.statistics().types()) {
      if (type.isEmpty() || one.type().name().equals(type)) {
        errors += one.errors();
        all += one.count();
      }
    }
    return all == 0 ? OptionalDouble.empty() : OptionalDouble.of(100.0 * errors / all);
  }

  private double outageMillis() {
    return verdict.has(VerdictKind.SERVER_LOST)
        ? 1000.0 * summary.statistics().quiet().secondsAtEnd()
        : 0;
  }

  private OptionalDouble latency(String type, Quantity quantity) {
    LatencyFigures figures =
        type.isEmpty()
            ? summary.statistics().overall(LatencyKind.DUE, Scope.ALL)
            : summary.statistics().types().stream()
                .filter(one -> one.type().name().equals(type))
                .findFirst()
                .map(one -> one.latency(LatencyKind.DUE, Scope.ALL))
                .orElseThrow(
                    () -> new IllegalStateException("a type of another workload: " + type));
    return figures.count() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(nanos(figures, quantity) / 1e6);
  }

  private static double nanos(LatencyFigures figures, Quantity quantity) {
    return switch (quantity) {
      case MEAN -> figures.meanNanos();
      case P50 -> figures.p50Nanos();
      case P90 -> figures.p90Nanos();
      case P95 -> figures.p95Nanos();
      case P99 -> figures.p99Nanos();
      case P99_9 -> figures.p999Nanos();
      case MAX -> figures.maxNanos();
      case ERRORS, METRIC, OUTAGE_AT_END, VERDICT ->
          throw new IllegalStateException("no latency: " + quantity);
    };
  }
}
