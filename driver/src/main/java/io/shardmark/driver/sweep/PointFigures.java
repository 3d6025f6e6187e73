package io.shardmark.driver.sweep;

import io.shardmark.driver.compare.Yardstick;
import io.shardmark.driver.judge.Limits;
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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a run that a sweep decides by, from its {@code summary.json}. Latencies are in
 * milliseconds from due to done, of successes.
 *
 * @param ending {@code completed} unless it was broken off
 * @param metrics of the benchmark by name, the main one first
 * @param perMinute successes of all types
 * @param transactions successes
 * @param failed transactions that ended in an error
 * @param type the one that the main metric counts, in words; {@code all types} if it counts several
 * @param typeMillis latencies of that type; null without any
 * @param latencyMillis over all counted types; null without any
 * @param limitsMissed types whose 90th percentile is above its limit, such as that of TPC-C 5.2.5.3
 * @param verdict what the run says of its figures; may be empty
 * @param driverBound whether the driver was what held the run back
 */
record PointFigures(
    String ending,
    Map<String, Double> metrics,
    double perMinute,
    long transactions,
    long failed,
    String type,
    @Nullable Latency typeMillis,
    @Nullable Latency latencyMillis,
    List<String> limitsMissed,
    String verdict,
    boolean driverBound) {
  PointFigures {
    metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    limitsMissed = List.copyOf(limitsMissed);
  }

  /** Empty without a {@code summary.json} that can be read. */
  static Optional<PointFigures> read(Path directory) throws IOException {
    return SummaryFile.read(directory, new ArrayList<>()).map(PointFigures::of);
  }

  private static PointFigures of(RunResult result) {
    Map<String, Double> metrics = new LinkedHashMap<>();
    result.metrics().forEach((Metric metric) -> metrics.put(metric.name(), metric.value()));
    String type = Yardstick.typeOf(result.types());
    double seconds = result.interval().seconds();
    RunVerdict verdict = result.verdict();
    return new PointFigures(
        result.run().ending().jsonName(),
        metrics,
        seconds > 0 ? result.transactionCount() * 60 / seconds : 0,
        result.transactionCount(),
        result.failedCount(),
        Yardstick.words(type),
        result.types().stream()
            .filter(one -> one.name().equals(type))
            .findFirst()
            .flatMap(PointFigures::due)
            .orElse(result.dueMillis().orElse(null)),
        result.dueMillis().orElse(null),
        result.types().stream().filter(PointFigures::missesLimit).map(TypeResult::name).toList(),
        verdict == null ? "" : verdict.sentence(),
        verdict != null && verdict.driverBound());
  }

  private static Optional<Latency> due(TypeResult type) {
    return type.latencyMillis().of(Scope.ALL, LatencyKind.DUE);
  }

  /** A type that did not occur misses none. */
  private static boolean missesLimit(TypeResult type) {
    return Boolean.FALSE.equals(type.limitMet())
        && due(type).map(Latency::count).orElse(0L) + type.errors() > 0;
  }

  /** The benchmark's main metric; 0 if the run does not have it. */
  double main() {
    return metrics.values().stream().findFirst().orElse(0.0);
  }

  /** Why this run does not hold the limits of its benchmark; empty if it does. */
  String limitFault() {
    if (main() <= 0) {
      return "no %s succeeded".formatted(type.equals(Yardstick.ALL) ? "transaction" : type);
    }
    if ((double) failed / Math.max(1, transactions + failed) > Limits.MOST_FAILED_SHARE) {
      return "%d of %d transactions failed".formatted(failed, transactions + failed);
    }
    return limitsMissed.isEmpty()
        ? ""
        : "90th percentile above its limit: " + String.join(", ", limitsMissed);
  }
}
