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

  /** For each scale a table: concurrent users, then the metrics of each system. */
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
          List<Place> places =
              places(systems).stream().filter(place -> place.number() == scale).toList();
          tables.add(throughput(places.get(0).scaleText(), false, systems, places));
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

  private TextTable throughput(
      String caption, boolean withScale, List<ComparedSystem> systems, List<Place> places) {
    TextTable.Builder table = TextTable.named(caption);
    if (withScale) {
      table.columns(Kind.NUMBER, scale());
    }
    table.columns(Kind.NUMBER, "Concurrent users");
    for (ComparedSystem system : systems) {
      List<String> names = new ArrayList<>(comparison.yardstick().names());
      names.set(0, system.label() + " " + names.get(0));
      table.columns(Kind.NUMBER, names);
    }
    for (Place place : places) {
      List<String> cells = new ArrayList<>();
      if (withScale) {
        cells.add(Place.text(place.number()));
      }
      cells.add(place.terminalsText());
      for (ComparedSystem system : systems) {
        for (Metric metric : comparison.yardstick().metrics()) {
          cells.add(rate(system.at(place), metric));
        }
      }
      table.row(cells);
    }
    return table.build();
  }

  /** What counts the scale, as a head. */
  private String scale() {
    return Texts.upperFirst(comparison.yardstick().scale());
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
            .columns(Kind.NUMBER, ratioHeads());
    for (OverallRatio overall : comparison.overall()) {
      List<String> cells =
          new ArrayList<>(List.of(overall.system(), String.valueOf(overall.points())));
      for (Metric metric : shown()) {
        cells.add(text(overall.of(metric)));
      }
      table.row(cells);
    }
    return table.withoutEmptyColumns().build();
  }

  private List<String> ratioHeads() {
    return shown().stream().map(comparison.yardstick()::words).toList();
  }

  private List<Metric> shown() {
    return comparison.yardstick().shown();
  }

  /** Place by place. */
  public TextTable ratios() {
    TextTable.Builder table =
        TextTable.named("Point by point")
            .columns(Kind.TEXT, "System")
            .columns(Kind.NUMBER, scale(), "Terminals")
            .columns(Kind.NUMBER, ratioHeads())
            .columns(Kind.TEXT, "Rates' interval from");
    for (PointRatio point : comparison.ratios()) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  point.system(),
                  against(point.place().number(), point.baseline().number()),
                  against(point.place().terminals(), point.baseline().terminals())));
      for (Metric metric : shown()) {
        cells.add(text(point.of(metric)));
      }
      cells.add(
          point.of(comparison.yardstick().main()).map(ComparisonTables::basis).orElse(Texts.NONE));
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
        .flatMap(point -> shown().stream().map(point::of))
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
            .columns(Kind.NUMBER, scale(), "Terminals", "Runs", "Transactions")
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
        Place.text(point.place().number()),
        point.place().terminalsText(),
        String.valueOf(point.runs().size()),
        Texts.count(figures.count()));
  }

  /** Every run that was read. */
  public TextTable runs() {
    TextTable.Builder table =
        TextTable.named("")
            .columns(Kind.TEXT, "System")
            .columns(Kind.NUMBER, scale(), "Terminals")
            .columns(Kind.NUMBER, comparison.yardstick().names())
            .columns(Kind.NUMBER, "Failed")
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

  private List<String> runRow(ComparedSystem system, Place place, Measurement run) {
    String faults =
        run.faults().stream()
            .map(fault -> fault.kind().subject().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    String ending = run.ending().isEmpty() ? Texts.NONE : run.ending();
    List<String> cells = new ArrayList<>();
    cells.add(system.label());
    cells.add(Place.text(place.number()));
    cells.add(place.terminalsText());
    comparison.yardstick().metrics().forEach(metric -> cells.add(Texts.three(metric.of(run))));
    cells.add(system.isPublished() ? Texts.NONE : Texts.count(run.failed()));
    cells.add(run.seconds() == 0 ? Texts.NONE : Texts.duration(Math.rint(run.seconds())));
    cells.add(faults.isEmpty() ? ending : ending + " (" + faults + ")");
    cells.add(run.start().isEmpty() ? Texts.NONE : run.start().replaceFirst("\\.\\d+", ""));
    cells.add(run.source());
    return cells;
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
