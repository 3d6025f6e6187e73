package io.shardmark.driver.report.compare;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.shardmark.driver.results.Latency;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One run, or one published row: what a comparison keeps of it.
 *
 * @param source the directory as it was given, or where it was published
 * @param product name and version of the program that measured
 * @param start when, as the directory has it; may be empty
 * @param ending {@code completed}, {@code interrupted}, {@code aborted}, or empty if not known
 * @param seconds length of the measurement interval; 0 if not known
 * @param values of the benchmark's metrics by name; none where one is not known
 * @param transactions successes of counted types
 * @param failed counted transactions that ended in an error
 * @param latencies from due to end of successes by type; NaN where a figure is not known
 * @param parts rates of the run cut into parts, by metric
 * @param observed what it and its machines did over time
 * @param faults what makes it a run to be careful with
 * @param judged whether it told of errors and of its own load, so that no fault means that all is
 *     well
 */
public record Measurement(
    String source,
    String product,
    String start,
    String ending,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) double seconds,
    @JsonAnyGetter Map<String, Double> values,
    @JsonIgnore long transactions,
    long failed,
    @JsonIgnore Map<String, Latency> latencies,
    @JsonIgnore Map<String, List<Double>> parts,
    @JsonIgnore Observed observed,
    List<RunFault> faults,
    @JsonIgnore boolean judged) {
  public Measurement {
    values = known(values);
    latencies = Map.copyOf(latencies);
    parts = Map.copyOf(parts);
    faults = List.copyOf(faults);
  }

  private static Map<String, Double> known(Map<String, Double> values) {
    Map<String, Double> known = new LinkedHashMap<>(values);
    known.values().removeIf(value -> !Double.isFinite(value));
    return Collections.unmodifiableMap(known);
  }
}
