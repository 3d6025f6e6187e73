package io.shardmark.driver.report.compare;

import io.shardmark.driver.report.compare.Comparison.Difference;
import io.shardmark.driver.report.compare.Comparison.OverallRatio;
import io.shardmark.driver.report.compare.Comparison.PointRatio;
import io.shardmark.driver.report.compare.Metric.Percentile;
import io.shardmark.driver.report.compare.TextTable.Kind;
import io.shardmark.driver.report.html.Texts;
import io.shardmark.driver.results.Latency;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of a comparison, the same on the page and in Markdown. */
public final class ComparisonTables {
  private final Comparison comparison;

  public ComparisonTables(Comparison comparison) {
    this.comparison = comparison;
  }

  /** For each scale a table: concurrent users, then tpmC and tpmTotal of each system. */
  public List<TextTable> throughput() {
    if (comparison.hasManyScales()) {
      List<Place> places = places(comparison.systems());
      return List.of(throughput("", true, comparison.systems(), places));
    }
    Map<Integer, List<ComparedSystem>> byScale = new TreeMap<>();
    for (ComparedSystem system : comparison.systems()) {
      system
          .scales()
          .forEach(
              scale -> byScale.computeIfAbsent(scale, unused -> new ArrayList<>()).add(system));
    }
    List<TextTable> tables = new ArrayList<>();
    byScale.forEach(
        (scale, systems) -> {
          String caption =
              scale == 0
                  ? "Number of warehouses not known"
                  : Texts.plural(scale, "warehouse", "warehouses");
          List<Place> places =
              places(systems).stream().filter(place -> place.warehouses() == scale).toList();
          tables.add(throughput(caption, false, systems, places));
        });
    return tables;
  }

  private static List<Place> places(List<ComparedSystem> systems) {
    return systems.stream()
        .flatMap(system -> system.points().stream())
        .map(ComparedPoint::place)
        .distinct()
        .sorted()
        .toList();
  }

  private static TextTable throughput(
      String caption, boolean withScale, List<ComparedSystem> systems, List<Place> places) {
    TextTable.Builder table = TextTable.named(caption);
    if (withScale) {
      table.columns(Kind.NUMBER, "Warehouses");
    }
    table.columns(Kind.NUMBER, "Concurrent users");
    for (ComparedSystem system : systems) {
      table.columns(Kind.NUMBER, system.label() + " tpmC", "tpmTotal");
    }
    for (Place place : places) {
      List<String> cells = new ArrayList<>();
      if (withScale) {
        cells.add(Place.text(place.warehouses()));
      }
      cells.add(place.terminalsText());
      for (ComparedSystem system : systems) {
        cells.add(rate(system.at(place), Metric.TPM_C));
        cells.add(rate(system.at(place), Metric.TPM_TOTAL));
      }
      table.row(cells);
    }
    return table.build();
  }

  private static String rate(Optional<ComparedPoint> point, Metric metric) {
    double mean = point.map(found -> found.mean(metric)).orElse(Double.NaN);
    return Double.isNaN(mean) ? Texts.NONE : Texts.three(mean);
  }

  /** Of each system over all places that it shares with the baseline. */
  public TextTable overall() {
    TextTable.Builder table =
        TextTable.named("Geometric mean over the points that both have")
            .columns(Kind.TEXT, "System")
            .columns(Kind.NUMBER, "Points")
            .columns(Kind.NUMBER, RATIOS);
    for (OverallRatio overall : comparison.overall()) {
      List<String> cells =
          new ArrayList<>(List.of(overall.system(), String.valueOf(overall.points())));
      for (Metric metric : SHOWN) {
        cells.add(text(overall.of(metric)));
      }
      table.row(cells);
    }
    return table.withoutEmptyColumns().build();
  }

  private static final List<String> RATIOS =
      List.of("tpmC", "tpmTotal", "p90 New-Order", "p99 New-Order");

  private static final List<Metric> SHOWN =
      List.of(Metric.TPM_C, Metric.TPM_TOTAL, Metric.headline("p90"), Metric.headline("p99"));

  /** Place by place. */
  public TextTable ratios() {
    TextTable.Builder table =
        TextTable.named("Point by point")
            .columns(Kind.TEXT, "System")
            .columns(Kind.NUMBER, "Warehouses", "Terminals")
            .columns(Kind.NUMBER, RATIOS)
            .columns(Kind.TEXT, "Rates' interval from");
    for (PointRatio point : comparison.ratios()) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  point.system(),
                  against(point.place().warehouses(), point.baseline().warehouses()),
                  against(point.place().terminals(), point.baseline().terminals())));
      for (Metric metric : SHOWN) {
        cells.add(text(point.of(metric)));
      }
      cells.add(point.of(Metric.TPM_C).map(ComparisonTables::basis).orElse(Texts.NONE));
      table.row(cells);
    }
    return table.withoutEmptyColumns().build();
  }

  private static String against(int number, int baseline) {
    return number == baseline
        ? Place.text(number)
        : Place.text(number) + " against " + Place.text(baseline);
  }

  /**
   * {@code 0.715 (0.690 – 0.741)}, or n/a in the brackets; without them if no ratio of the
   * comparison has an interval.
   */
  private String text(Optional<Ratio> ratio) {
    return ratio.map(this::text).orElse(Texts.NONE);
  }

  private String text(Ratio ratio) {
    String value = String.format(Locale.ROOT, "%.3f", ratio.value());
    if (!hasIntervals()) {
      return value;
    }
    String interval =
        ratio
            .interval()
            .map(i -> String.format(Locale.ROOT, "%.3f – %.3f", i.low(), i.high()))
            .orElse("n/a");
    return value + " (" + interval + ")";
  }

  private boolean hasIntervals() {
    return comparison.ratios().stream()
        .flatMap(point -> SHOWN.stream().map(point::of))
        .anyMatch(ratio -> ratio.flatMap(Ratio::interval).isPresent());
  }

  private static String basis(Ratio ratio) {
    return switch (ratio.basis()) {
      case REPETITIONS -> "%d and %d runs".formatted(ratio.samples(), ratio.baselineSamples());
      case PARTS -> "%d and %d parts".formatted(ratio.samples(), ratio.baselineSamples());
      case NONE -> Texts.NONE;
    };
  }

  /** Percentiles of one type at each point; empty rows are left out. */
  public TextTable latencies(String type) {
    TextTable.Builder table =
        TextTable.named(type + ", in ms")
            .columns(Kind.TEXT, "System")
            .columns(Kind.NUMBER, "Warehouses", "Terminals", "Runs", "Transactions")
            .columns(Kind.NUMBER, Metric.PERCENTILES.stream().map(Percentile::name).toList());
    List<List<String>> heads = new ArrayList<>();
    List<Latency> found = new ArrayList<>();
    for (ComparedSystem system : comparison.systems()) {
      for (ComparedPoint point : system.points()) {
        point
            .latency(type)
            .ifPresent(
                figures -> {
                  heads.add(latencyHead(system, point, figures));
                  found.add(figures);
                });
      }
    }
    for (int i = 0; i < heads.size(); i++) {
      List<String> cells = new ArrayList<>(heads.get(i));
      for (Metric.Percentile percentile : Metric.PERCENTILES) {
        cells.add(Texts.three(percentile.of(found.get(i))));
      }
      table.row(cells);
    }
    return table.withoutEmptyColumns().build();
  }

  private static List<String> latencyHead(
      ComparedSystem system, ComparedPoint point, Latency figures) {
    return List.of(
        system.label(),
        Place.text(point.place().warehouses()),
        point.place().terminalsText(),
        String.valueOf(point.runs().size()),
        Texts.count(figures.count()));
  }

  /** Every run that was read. */
  public TextTable runs() {
    TextTable.Builder table =
        TextTable.named("")
            .columns(Kind.TEXT, "System")
            .columns(Kind.NUMBER, "Warehouses", "Terminals", "tpmC", "tpmTotal", "Failed")
            .columns(Kind.TEXT, "Measured")
            .columns(Kind.PROSE, "Ending", "Started")
            .columns(Kind.PROSE, "From");
    for (ComparedSystem system : comparison.systems()) {
      for (ComparedPoint point : system.points()) {
        for (Measurement run : point.runs()) {
          table.row(runRow(system, point.place(), run));
        }
      }
    }
    return table.withoutEmptyColumns().build();
  }

  private static List<String> runRow(ComparedSystem system, Place place, Measurement run) {
    String faults =
        run.faults().stream()
            .map(fault -> fault.kind().subject().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    String ending = run.ending().isEmpty() ? Texts.NONE : run.ending();
    return List.of(
        system.label(),
        Place.text(place.warehouses()),
        place.terminalsText(),
        Texts.three(run.rates().tpmC()),
        Double.isNaN(run.rates().tpmTotal()) ? Texts.NONE : Texts.three(run.rates().tpmTotal()),
        system.isPublished() ? Texts.NONE : Texts.count(run.rates().failed()),
        run.seconds() == 0 ? Texts.NONE : Texts.duration(Math.rint(run.seconds())),
        faults.isEmpty() ? ending : ending + " (" + faults + ")",
        run.start().isEmpty() ? Texts.NONE : run.start().replaceFirst("\\.\\d+", ""),
        run.source());
  }

  /** What operating system and database did, as means over the runs of a system. */
  public TextTable observed() {
    TextTable.Builder table = TextTable.named("").columns(Kind.TEXT, "Figure");
    table.columns(Kind.NUMBER, names());
    Set<String> figures = new LinkedHashSet<>();
    for (ComparedSystem system : comparison.systems()) {
      system.measurements().forEach(run -> figures.addAll(run.observed().figures().keySet()));
    }
    for (String figure : figures) {
      List<String> cells = new ArrayList<>(List.of(figure));
      for (ComparedSystem system : comparison.systems()) {
        cells.add(
            Texts.three(
                system.measurements().stream()
                    .map(run -> run.observed().figures().get(figure))
                    .flatMap(Stream::ofNullable)
                    .mapToDouble(Double::doubleValue)
                    .average()
                    .orElse(Double.NaN)));
      }
      table.row(cells);
    }
    return table.build();
  }

  /** What limited each run that says so. */
  public TextTable bottlenecks() {
    TextTable.Builder table =
        TextTable.named("").columns(Kind.TEXT, "System").columns(Kind.PROSE, "Bottleneck", "From");
    for (ComparedSystem system : comparison.systems()) {
      for (Measurement run : system.measurements()) {
        if (!run.observed().bottleneck().isEmpty()) {
          table.row(List.of(system.label(), run.observed().bottleneck(), run.source()));
        }
      }
    }
    return table.build();
  }

  /** What decides whether systems can be compared. */
  public TextTable conditions() {
    TextTable.Builder table = TextTable.named("Conditions").columns(Kind.TEXT, "Condition");
    table.columns(Kind.PROSE, names());
    for (String condition : comparison.baseline().conditions().keySet()) {
      List<String> cells = new ArrayList<>(List.of(condition));
      for (ComparedSystem system : comparison.systems()) {
        List<String> texts = system.conditions().getOrDefault(condition, List.of());
        cells.add(texts.isEmpty() ? "not known" : String.join("; ", texts));
      }
      table.row(cells);
    }
    return table.build();
  }

  /** Every other setting whose values differ. */
  public TextTable differences() {
    TextTable.Builder table = TextTable.named("").columns(Kind.TEXT, "Setting");
    table.columns(Kind.PROSE, names());
    for (Difference difference : comparison.differences()) {
      List<String> cells = new ArrayList<>(List.of(difference.setting()));
      difference.values().forEach(value -> cells.add(value.isEmpty() ? Texts.NONE : value));
      table.row(cells);
    }
    return table.build();
  }

  private List<String> names() {
    return comparison.systems().stream().map(ComparedSystem::label).toList();
  }
}
