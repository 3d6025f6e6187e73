package io.shardmark.driver.report.compare;

import io.shardmark.driver.report.RunData;
import io.shardmark.driver.report.SampledSeries;
import io.shardmark.driver.report.Timeline;
import io.shardmark.driver.report.TypeData;
import io.shardmark.driver.results.Client;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What else a comparison keeps of a run.
 *
 * @param bottleneck what limited it, in words; empty if it does not say
 * @param figures of operating system and database, by name, in the order of tables
 * @param overTime its main rate and response time
 */
public record Observed(String bottleneck, Map<String, Double> figures, OverTime overTime) {
  static final Observed NONE = new Observed("", Map.of(), new OverTime(1, List.of(), List.of()));

  /** As in {@code db_stats.csv}: of these a run has the greatest, of others the sum. */
  private static final String GREATEST = "_max";

  private static final double PERCENT = 100;

  /**
   * The types that make the main figure, in buckets of equal width.
   *
   * @param widthSeconds a second, or a power of two of them
   * @param successes in each bucket
   * @param meanMillis mean latency in each; NaN in an empty one
   */
  public record OverTime(double widthSeconds, List<Long> successes, List<Double> meanMillis) {
    /** In buckets of another width, a multiple of the own one; a last part of one is left out. */
    public OverTime in(double seconds) {
      int together = (int) Math.round(seconds / widthSeconds);
      List<Long> sums = new ArrayList<>();
      List<Double> means = new ArrayList<>();
      for (int from = 0; from + together <= successes.size(); from += together) {
        long sum = 0;
        double millis = 0;
        for (int i = from; i < from + together; i++) {
          sum += count(i);
          millis += millis(i);
        }
        sums.add(sum);
        means.add(sum == 0 ? Double.NaN : millis / sum);
      }
      return new OverTime(seconds, sums, means);
    }

    /** Rates per so many seconds. */
    public List<Double> per(double seconds) {
      return successes.stream().map(count -> seconds * count / widthSeconds).toList();
    }

    /** Of two types together, in buckets of the same width. */
    private OverTime plus(OverTime other) {
      List<Long> sums = new ArrayList<>();
      List<Double> means = new ArrayList<>();
      for (int i = 0; i < Math.max(successes.size(), other.successes.size()); i++) {
        long sum = count(i) + other.count(i);
        sums.add(sum);
        means.add(sum == 0 ? Double.NaN : (millis(i) + other.millis(i)) / sum);
      }
      return new OverTime(widthSeconds, sums, means);
    }

    private long count(int bucket) {
      return bucket < successes.size() ? successes.get(bucket) : 0;
    }

    private double millis(int bucket) {
      return count(bucket) == 0 ? 0 : count(bucket) * meanMillis.get(bucket);
    }
  }

  static Observed of(RunData run) {
    Map<String, Double> figures = new LinkedHashMap<>();
    put(figures, "driver: processors used", run.client().map(Client::coresUsed), 1);
    put(
        figures,
        "machine of the driver: busy %",
        run.client().map(Client::machineBusyShare),
        PERCENT);
    run.bottleneck()
        .ifPresent(
            bottleneck ->
                bottleneck.uses().stream()
                    .filter(use -> use.what().startsWith("Se") || use.what().startsWith("Waits"))
                    .filter(use -> use.share() != null)
                    .forEach(
                        use ->
                            put(
                                figures,
                                lowerFirst(use.what()) + " %",
                                Optional.ofNullable(use.share()),
                                PERCENT)));
    run.resources().system().ifPresent(system -> addSystem(figures, system));
    run.resources()
        .devices()
        .forEach(
            (device, series) ->
                series
                    .columns()
                    .keySet()
                    .forEach(column -> mean(figures, device + " " + column, series, column, 1)));
    double transactions = Math.max(1, run.result().transactionCount());
    run.result()
        .databaseFigures()
        .forEach(
            (name, value) -> {
              boolean whole = name.endsWith(GREATEST) || name.equals("relation_bytes");
              figures.put(
                  "database: " + name + (whole ? "" : " per transaction"),
                  whole ? value : value / transactions);
            });
    return new Observed(
        run.bottleneck().map(found -> found.sentence()).orElse(""), figures, overTime(run));
  }

  private static String lowerFirst(String text) {
    return Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }

  private static void addSystem(Map<String, Double> figures, SampledSeries system) {
    for (String column : List.of("cpu_user", "cpu_system", "cpu_iowait", "cpu_steal")) {
      mean(figures, "OS collector: " + column + " %", system, column, PERCENT);
    }
  }

  private static void mean(
      Map<String, Double> figures, String name, SampledSeries series, String column, double times) {
    double mean = series.mean(column);
    put(figures, name, mean > 0 ? Optional.of(mean) : Optional.empty(), times);
  }

  private static void put(
      Map<String, Double> figures, String name, Optional<Double> value, double times) {
    value.ifPresent(known -> figures.put(name, times * known));
  }

  private static OverTime overTime(RunData run) {
    Set<String> headline =
        run.types().stream()
            .filter(type -> type.result().headline())
            .map(TypeData::name)
            .collect(Collectors.toSet());
    return run.timeline().lines().stream()
        .filter(line -> headline.contains(line.type()))
        .map(
            (Timeline.Line l) ->
                new OverTime(run.timeline().widthSeconds(), l.successes(), l.mean()))
        .reduce(OverTime::plus)
        .orElse(NONE.overTime());
  }
}
