package io.shardmark.driver.report.compare;

import io.shardmark.driver.report.LatencyDistribution.CurvePoint;
import io.shardmark.driver.results.Latency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All runs of a system at one place.
 *
 * @param place scale and terminals
 * @param runs at least one
 * @param latencies percentiles by type over all runs: their histograms added, never averaged
 * @param curves the percentile curve of each type, of the same
 */
public record ComparedPoint(
    Place place,
    List<Measurement> runs,
    Map<String, Latency> latencies,
    Map<String, List<CurvePoint>> curves) {
  /** Stands for all types that are transactions of their own. */
  public static final String ALL_TYPES = "all counted";

  public ComparedPoint {
    runs = List.copyOf(runs);
    latencies = Map.copyOf(latencies);
    curves = Map.copyOf(new LinkedHashMap<>(curves));
  }

  /** Of each run. */
  public List<Double> values(Metric metric) {
    return runs.stream().map(metric::of).toList();
  }

  /** Mean of the runs; NaN if it is not known. */
  public double mean(Metric metric) {
    return values(metric).stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  public Optional<Latency> latency(String type) {
    return Optional.ofNullable(latencies.get(type));
  }

  /** Failed transactions of all runs. */
  public long failed() {
    return runs.stream().mapToLong(run -> run.failed()).sum();
  }
}
