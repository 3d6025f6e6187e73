package io.shardmark.driver.sweep;

import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.SummaryFile;
import io.shardmark.driver.results.TypeResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The figures of a run that a sweep decides by, from its {@code summary.json}. Latencies are in
 * milliseconds from due to done, of successes.
 *
 * @param ending {@code completed} unless it was broken off
 * @param transactions successes
 * @param tpmC the benchmark's main metric
 * @param tpmTotal successes per minute
 * @param failed transactions that ended in an error
 * @param newOrderP90Millis 0 without a New-Order
 * @param latency over all counted types
 * @param limitsMissed types whose 90th percentile is above the limit of TPC-C 5.2.5.3
 * @param verdict what the run says of its figures; empty if an earlier program made it
 * @param driverBound whether the driver was what held the run back
 */
record PointFigures(
    String ending,
    double tpmC,
    double tpmTotal,
    long transactions,
    long failed,
    double newOrderP90Millis,
    Percentiles latency,
    List<String> limitsMissed,
    String verdict,
    boolean driverBound) {

  /** More failed transactions than this, of a hundred, and a run holds no limit. */
  private static final double MOST_FAILED_PERCENT = 1;

  /** Percentiles in milliseconds; all 0 without a transaction. */
  record Percentiles(double p50, double p90, double p95, double p99, double p999, double max) {}

  PointFigures {
    verdict = Objects.requireNonNullElse(verdict, ""); // a sweep of an earlier program has none
    limitsMissed = List.copyOf(limitsMissed);
  }

  /** Reads a result directory; empty if there is no summary, or none that can be read. */
  static Optional<PointFigures> read(Path directory) throws IOException {
    return SummaryFile.read(directory, new ArrayList<>()).map(PointFigures::of);
  }

  private static PointFigures of(RunResult result) {
    List<String> missed = new ArrayList<>();
    double newOrderP90 = 0;
    for (TypeResult type : result.types()) {
      Optional<Latency> due = type.latencyMillis().of(Scope.ALL, LatencyKind.DUE);
      boolean occurred = due.map(Latency::count).orElse(0L) + type.errors() > 0;
      if (occurred && Boolean.FALSE.equals(type.limitMet())) {
        missed.add(type.name());
      }
      if (type.headline()) {
        newOrderP90 = due.map(Latency::p90).orElse(0.0);
      }
    }
    RunVerdict verdict = result.verdict();
    return new PointFigures(
        result.run().ending().jsonName(),
        result.metrics().stream().findFirst().map(Metric::value).orElse(0.0),
        result.metric("tpmTotal").map(Metric::value).orElseGet(() -> perMinute(result)),
        result.transactionCount(),
        result.failedCount(),
        newOrderP90,
        result
            .dueMillis()
            .map(l -> new Percentiles(l.p50(), l.p90(), l.p95(), l.p99(), l.p999(), l.max()))
            .orElse(new Percentiles(0, 0, 0, 0, 0, 0)),
        missed,
        verdict == null ? "" : verdict.sentence(),
        verdict != null && verdict.driverBound());
  }

  /** Of a benchmark that has no such metric. */
  private static double perMinute(RunResult result) {
    double seconds = result.interval().seconds();
    return seconds > 0 ? result.transactionCount() * 60 / seconds : 0;
  }

  /** Why this run does not hold the limits of TPC-C 5.2.5.3; empty if it does. */
  String limitFault() {
    if (tpmC <= 0) {
      return "no New-Order succeeded";
    }
    if (failed * 100.0 > MOST_FAILED_PERCENT * (transactions + failed)) {
      return "%d of %d transactions failed".formatted(failed, transactions + failed);
    }
    return limitsMissed.isEmpty()
        ? ""
        : "90th percentile above its limit: " + String.join(", ", limitsMissed);
  }
}
