package io.shardmark.driver.sweep;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.UsageException;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a search looks for, always with the response time limits of the benchmark held: the most
 * terminals, the most warehouses with ten terminals each that key and think, or the number of
 * terminals with the highest main metric.
 *
 * @param name as the option and the files have it
 */
public record SearchGoal(@JsonValue String name) {
  static final SearchGoal TERMINALS = new SearchGoal("terminals");

  /** Of TPC-C, the one benchmark whose terminals belong to a unit of its scale. */
  static final SearchGoal SCALE = new SearchGoal("warehouses");

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public SearchGoal {}

  /**
   * A goal that a search of this database can have, in any case of letters.
   *
   * @throws UsageException if it is invalid
   */
  public static SearchGoal parse(String text, SweepDatabase database) {
    BenchmarkProperties properties = database.with(Map.of("terminals", "1"));
    Benchmark benchmark = Benchmarks.of(properties);
    List<String> names = new ArrayList<>();
    names.add(benchmark.open(Settings.of(benchmark, properties)).metrics().get(0).name());
    names.add(TERMINALS.name);
    if (benchmark.scale(properties.values()).plural().equals(SCALE.name)) {
      names.add(SCALE.name);
    }
    return names.stream()
        .filter(text::equalsIgnoreCase)
        .findFirst()
        .map(SearchGoal::new)
        .orElseThrow(
            () ->
                new UsageException(
                    "--search %s: expected one of %s".formatted(text, String.join(", ", names))));
  }

  /** Whether it is the main metric, and not the most of something. */
  boolean isPeak() {
    return !equals(TERMINALS) && !isOfScale();
  }

  boolean isOfScale() {
    return equals(SCALE);
  }

  /** {@code highest tps}. */
  String words() {
    return (isPeak() ? "highest " : "most ") + name;
  }

  /** What is varied: the unit of the search's values. */
  String unit() {
    return isOfScale() ? name : TERMINALS.name;
  }

  @Override
  public String toString() {
    return name;
  }
}
