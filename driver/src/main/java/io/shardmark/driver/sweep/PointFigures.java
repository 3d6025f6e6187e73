package io.shardmark.driver.sweep;

import com.fasterxml.jackson.annotation.JsonInclude;
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
import org.jspecify.annotations.Nullable;

/**
 * The figures of a run that a sweep decides by, from its {@code summary.json}. Latencies are in
 * milliseconds from due to done, of successes.
 *
 * @param ending {@code completed} unless it was broken off
 * @param transactions successes
 * @param tpmC the main metric of TPC-C; null of another benchmark
 * @param main the main metric of another benchmark; null of TPC-C
 * @param tpmTotal successes per minute
 * @param failed transactions that ended in an error
 * @param newOrderP90Millis of TPC-C, 0 without a New-Order; null of another benchmark
 * @param latency over all counted types
 * @param limitsMissed types whose 90th percentile is above its limit, such as that of TPC-C 5.2.5.3
 * @param verdict what the run says of its figures; empty if an earlier program made it
 * @param driverBound whether the driver was what held the run back
 */
record PointFigures(
    String ending,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double tpmC,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Main main,
    double tpmTotal,
    long transactions,
    long failed,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double newOrderP90Millis,
    Percentiles latency,
    List<String> limitsMissed,
    String verdict,
    boolean driverBound) {

  /** Of TPC-C, whose figures have had names of their own since the first program. */
  static final String TPM_C = "tpmC";

  /** A main metric. */
  record Main(String name, double value) {
    /** From what a file has: one of them. */
    static Main of(@Nullable Double tpmC, @Nullable Main other) {
      return other == null ? new Main(TPM_C, Objects.requireNonNullElse(tpmC, 0.0)) : other;
    }
  }

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
    Main main =
        result.metrics().stream()
            .findFirst()
            .map(metric -> new Main(metric.name(), metric.value()))
            .orElse(new Main(TPM_C, 0));
    boolean isTpcC = main.name().equals(TPM_C);
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
        isTpcC ? main.value() : null,
        isTpcC ? null : main,
        result.metric("tpmTotal").map(Metric::value).orElseGet(() -> perMinute(result)),
        result.transactionCount(),
        result.failedCount(),
        isTpcC ? newOrderP90 : null,
        result
            .dueMillis()
            .map(l -> new Percentiles(l.p50(), l.p90(), l.p95(), l.p99(), l.p999(), l.max()))
            .orElse(new Percentiles(0, 0, 0, 0, 0, 0)),
        missed,
        verdict == null ? "" : verdict.sentence(),
        verdict != null && verdict.driverBound());
  }

  /** The benchmark's main metric. */
  Main metric() {
    return Main.of(tpmC, main);
  }

  /** Of the type that the main metric counts, or of all types together. */
  double p90() {
    return newOrderP90Millis == null ? latency.p90() : newOrderP90Millis;
  }

  /** Of a benchmark that has no such metric. */
  private static double perMinute(RunResult result) {
    double seconds = result.interval().seconds();
    return seconds > 0 ? result.transactionCount() * 60 / seconds : 0;
  }

  /** Why this run does not hold the limits of its benchmark; empty if it does. */
  String limitFault() {
    if (metric().value() <= 0) {
      return main == null ? "no New-Order succeeded" : "no transaction succeeded";
    }
    if (failed * 100.0 > MOST_FAILED_PERCENT * (transactions + failed)) {
      return "%d of %d transactions failed".formatted(failed, transactions + failed);
    }
    return limitsMissed.isEmpty()
        ? ""
        : "90th percentile above its limit: " + String.join(", ", limitsMissed);
  }
}
