package io.shardmark.driver.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.RunResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run, or one published row.
 *
 * @param source the directory as it was given, or where it was published
 * @param result of the run; of a row, as far as it tells
 * @param latencies from due to end of successes by type; NaN where a figure is not known
 * @param parts rates of the run cut into parts, by metric
 * @param observed what it and its machines did over time
 * @param faults what makes it a run to be careful with
 */
public record Measurement(
    String source,
    RunResult result,
    Map<String, Latency> latencies,
    Map<String, List<Double>> parts,
    Observed observed,
    List<RunFault> faults) {
  public Measurement {
    latencies = Map.copyOf(latencies);
    parts = Map.copyOf(parts);
    faults = List.copyOf(faults);
  }

  /** When it began, as its directory has it; may be empty. */
  public String start() {
    return result.run().sessionStart();
  }

  /** Of the benchmark's metric with this name; NaN if it is not known. */
  double value(String metric) {
    return result
        .metric(metric)
        .map(one -> one.value())
        .filter(Double::isFinite)
        .orElse(Double.NaN);
  }

  /** Whether it reports errors and its own load, so that no fault means that all is well. */
  public boolean isJudged() {
    return result.client() != null;
  }

  /**
   * Processor time of a transaction in microseconds, of the driver and all servers; null if it is
   * not known of all of them.
   */
  public @Nullable Double processorMicros() {
    return observed.figures().get(Observed.PROCESSOR_TIME);
  }

  @JsonValue
  Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("source", source);
    members.put("product", result.run().product());
    members.put("start", start());
    members.put("ending", result.run().ending());
    if (result.interval().seconds() > 0) {
      members.put("seconds", result.interval().seconds());
    }
    result.metrics().stream()
        .filter(metric -> Double.isFinite(metric.value()))
        .forEach(metric -> members.put(metric.name(), metric.value()));
    members.put("failed", result.failedCount());
    members.put("faults", faults);
    Double micros = processorMicros();
    if (micros != null) {
      members.put("processorMicros", micros);
    }
    return members;
  }
}
