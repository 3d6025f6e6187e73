package io.shardmark.driver.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import io.shardmark.driver.results.CostFigure;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.reader.LatencyDistribution;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.TypeData;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run, or one published row.
 *
 * @param source the directory as it was given, or where it was published
 * @param result of the run; of a row, what its columns give
 * @param failed transactions; null if the program that measured did not record them
 * @param conditions {@link RunSettings#conditions} of the settings
 * @param latencies from due to end of successes by type; NaN where a figure is not known
 * @param parts rates of the run cut into parts, by metric
 * @param costs what it takes of money and processors
 * @param observed what it and its machines did over time
 */
public record Measurement(
    String source,
    Place place,
    RunResult result,
    @Nullable Long failed,
    RunSettings settings,
    Map<String, String> conditions,
    Map<String, Latency> latencies,
    Map<String, List<Double>> parts,
    List<CostFigure> costs,
    Observed observed,
    List<RunFault> faults) {
  static Measurement of(
      RunData run,
      Yardstick yardstick,
      String source,
      Map<String, LatencyDistribution> distributions) {
    RunSettings settings = RunSettings.of(run);
    Map<String, Latency> latencies = new LinkedHashMap<>();
    distributions.forEach((type, one) -> latencies.put(type, one.figures()));
    for (TypeData type : run.types()) {
      type.result()
          .latencyMillis()
          .of(Scope.ALL, LatencyKind.DUE)
          .ifPresent(known -> latencies.put(type.name(), known));
    }
    run.result().dueMillis().ifPresent(known -> latencies.put(ComparedPoint.ALL_TYPES, known));
    Place place =
        yardstick.place(
            settings.known(run.result().scale().number(), yardstick.scale()),
            settings.known((int) run.result().configuration().whole("terminals"), "terminals"));
    return new Measurement(
        source,
        place,
        run.result(),
        run.knowsErrors() ? run.result().failedCount() : null,
        settings,
        settings.conditions(yardstick),
        latencies,
        run.certainty().parts(),
        CostFigure.of(run.result(), run.certainty().rates()),
        Observed.of(run),
        RunFault.of(run));
  }

  /** Latencies of each type that has samples, and of the counted ones together. */
  static Map<String, LatencyDistribution> distributions(RunData run) {
    Map<String, LatencyDistribution> distributions = new LinkedHashMap<>();
    for (TypeData type : run.types()) {
      distributions.put(type.name(), type.due());
      if (type.result().counted()) {
        distributions.merge(ComparedPoint.ALL_TYPES, type.due(), LatencyDistribution::plus);
      }
    }
    distributions.values().removeIf(one -> one.count() == 0);
    return distributions;
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
    if (failed != null) {
      members.put("failed", failed);
    }
    members.put("faults", faults);
    if (!result.events().isEmpty()) {
      members.put("events", result.events());
    }
    if (!costs.isEmpty()) {
      members.put("costs", costs);
    }
    Double micros = processorMicros();
    if (micros != null) {
      members.put("processorMicros", micros);
    }
    return members;
  }
}
