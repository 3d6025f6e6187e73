package io.shardmark.driver.compare;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.reader.LatencyDistribution.CurvePoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * All runs of a system at one place.
 *
 * @param latencies percentiles by type over all runs: their histograms added, never averaged
 * @param curves the percentile curve of each type, of the same histograms
 */
public record ComparedPoint(
    @JsonIgnore Place place,
    List<Measurement> runs,
    @JsonProperty("latencyMillis") Map<String, Latency> latencies,
    @JsonIgnore Map<String, List<CurvePoint>> curves) {
  /** In place of a type: all types whose transactions are counted. */
  public static final String ALL_TYPES = "all counted";

  /** Its place, and the means that are known of the benchmark's metrics. */
  @JsonAnyGetter
  Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>(place.members());
    for (var metric : runs.get(0).result().metrics()) {
      double mean = mean(run -> run.value(metric.name()));
      if (Double.isFinite(mean)) {
        members.put(metric.name(), mean);
      }
    }
    return members;
  }

  boolean has(String metric) {
    return runs.stream().anyMatch(run -> run.result().metric(metric).isPresent());
  }

  double mean(ToDoubleFunction<Measurement> figure) {
    return runs.stream().mapToDouble(figure).average().orElse(Double.NaN);
  }

  public List<Double> values(ComparedFigure metric) {
    return runs.stream().map(metric::of).toList();
  }

  /** Mean of the runs; NaN if it is not known. */
  public double mean(ComparedFigure metric) {
    return mean(metric::of);
  }

  /** Whether the figure may be higher than is known, in any run. */
  boolean isLowerBound(ComparedFigure metric) {
    return runs.stream().anyMatch(metric::isLowerBound);
  }

  public Optional<Latency> latency(String type) {
    return Optional.ofNullable(latencies.get(type));
  }
}
