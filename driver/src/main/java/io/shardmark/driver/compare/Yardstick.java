package io.shardmark.driver.compare;

import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunScale;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.results.reader.RunData;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What runs of a benchmark are judged by. Runs are compared only if theirs is the same.
 *
 * @param benchmark such as {@code TPC-C}
 * @param scale what its data are counted in, in the plural
 * @param metrics rates and the like, the main one first
 * @param type the type whose percentiles are shown with the main metric: the one that it counts, or
 *     {@link ComparedPoint#ALL_TYPES}
 */
public record Yardstick(String benchmark, String scale, List<ComparedFigure> metrics, String type) {
  public static final String ALL = "all types";

  private static final String PER_MINUTE = "/min";
  private static final String PER_SECOND = "/s";

  /**
   * Of published figures, BenchmarkSQL's directories, and Shardmark's without a {@code
   * summary.json}.
   */
  static final Yardstick TPC_C =
      new Yardstick(
          "TPC-C",
          "warehouses",
          List.of(
              ComparedFigure.rate("tpmC", PER_MINUTE, true, true),
              ComparedFigure.rate("tpmTotal", PER_MINUTE, true, true)),
          "NEW_ORDER");

  /** Empty for a run of another benchmark that left no summary. */
  static Optional<Yardstick> of(RunData run) {
    RunResult result = run.result();
    String benchmark = result.run().workload();
    if (!result.hasSummary() || result.metrics().isEmpty()) {
      String key = RunSettings.of(run).all().getOrDefault("workload", "");
      boolean isTpcC =
          (benchmark.isEmpty() || benchmark.equals(TPC_C.benchmark))
              && (key.isEmpty() || key.equalsIgnoreCase("tpcc"));
      return isTpcC ? Optional.of(TPC_C) : Optional.empty();
    }
    return Optional.of(
        new Yardstick(
            benchmark.isEmpty() ? TPC_C.benchmark : benchmark,
            result.scale().name().isEmpty() ? TPC_C.scale : result.scale().name(),
            result.metrics().stream()
                .map(
                    one ->
                        ComparedFigure.rate(
                            one.name(), one.unit(), one.higherIsBetter(), one.rate()))
                .toList(),
            typeOf(result.types())));
  }

  /** The one that the main metric counts, or {@link ComparedPoint#ALL_TYPES}. */
  public static String typeOf(List<TypeResult> types) {
    List<String> counted =
        types.stream().filter(TypeResult::counted).map(TypeResult::name).toList();
    List<String> headline =
        types.stream().filter(TypeResult::headline).map(TypeResult::name).toList();
    return headline.size() == 1 && counted.size() > 1 ? headline.get(0) : ComparedPoint.ALL_TYPES;
  }

  /** What runs of both are judged by; empty if they cannot be compared. */
  Optional<Yardstick> with(Yardstick other) {
    if (!benchmark.equals(other.benchmark)
        || !scale.equals(other.scale)
        || !main().isLike(other.main())) {
      return Optional.empty();
    }
    List<ComparedFigure> common =
        metrics.stream().filter(one -> other.metrics.stream().anyMatch(one::isLike)).toList();
    String both = type.equals(other.type) ? type : ComparedPoint.ALL_TYPES;
    return Optional.of(new Yardstick(benchmark, scale, common, both));
  }

  public ComparedFigure main() {
    return metrics.get(0);
  }

  /** The name of the main metric, with what distinguishes it from that of the other one. */
  String mainBeside(Yardstick other) {
    return main().name().equals(other.main().name())
        ? "%s (%s)".formatted(main().name(), main().unit())
        : main().name();
  }

  boolean isTpcC() {
    return benchmark.equals(TPC_C.benchmark);
  }

  /** Metrics with the unit of the main one: they share an axis. */
  public List<ComparedFigure> ofOneUnit() {
    return metrics.stream().filter(one -> one.unit().equals(main().unit())).toList();
  }

  public ComparedFigure percentile(LatencyFigure percentile) {
    return ComparedFigure.latency(type, percentile);
  }

  /** In tables of ratios and at the head of the page. */
  public List<ComparedFigure> shown() {
    return with(LatencyFigure.P90, LatencyFigure.P99);
  }

  /** Those that have ratios: not the maximum, which one transaction decides. */
  List<ComparedFigure> compared() {
    return with(
        LatencyFigure.P50,
        LatencyFigure.P90,
        LatencyFigure.P95,
        LatencyFigure.P99,
        LatencyFigure.P999);
  }

  /** Those whose history is kept. */
  public List<ComparedFigure> kept() {
    return Stream.concat(
            with(LatencyFigure.P50, LatencyFigure.P90, LatencyFigure.P99, LatencyFigure.P999)
                .stream(),
            Stream.of(ComparedFigure.FAILED_PERCENT))
        .toList();
  }

  private List<ComparedFigure> with(LatencyFigure... percentiles) {
    return Stream.concat(metrics.stream(), Stream.of(percentiles).map(this::percentile)).toList();
  }

  /** Types of which there are tables of percentiles. */
  public List<String> tabled() {
    return Stream.of(type, ComparedPoint.ALL_TYPES).distinct().toList();
  }

  /** The type in words: {@code New-Order}. */
  public String typeWords() {
    return words(type);
  }

  /** The same of any type. */
  public static String words(String type) {
    if (type.equals(ComparedPoint.ALL_TYPES)) {
      return ALL;
    }
    return Stream.of(type.toLowerCase(Locale.ROOT).split("_", -1))
        .map(Texts::upperFirst)
        .collect(Collectors.joining("-"));
  }

  private boolean isOfAllTypes() {
    return type.equals(ComparedPoint.ALL_TYPES);
  }

  /** What the main metric counts, in the plural: {@code New-Orders}. */
  public String counted() {
    return isOfAllTypes() ? "transactions" : typeWords() + "s";
  }

  /** As a head or in a sentence: {@code p99 New-Order}. */
  public String words(ComparedFigure metric) {
    return metric.name().replace(type, typeWords());
  }

  /** {@code per minute}. */
  public String unitWords() {
    return switch (main().unit()) {
      case PER_MINUTE -> "per minute";
      case PER_SECOND -> "per second";
      default -> main().unit();
    };
  }

  /** Transactions over time are shown per so many seconds. */
  public double rateSeconds() {
    return main().unit().equals(PER_SECOND) ? 1 : 60;
  }

  public String rateWords() {
    return isOfAllTypes() ? "Transactions" : main().name();
  }

  Place place(int number, int terminals) {
    return new Place(new RunScale(scale, number), terminals);
  }
}
