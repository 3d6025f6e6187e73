package io.shardmark.driver.compare.html;

import io.shardmark.driver.compare.ComparedEvent;
import io.shardmark.driver.compare.ComparedFigure;
import io.shardmark.driver.compare.ComparedPoint;
import io.shardmark.driver.compare.ComparedSystem;
import io.shardmark.driver.compare.Comparison;
import io.shardmark.driver.compare.Comparison.Difference;
import io.shardmark.driver.compare.Comparison.OverallRatio;
import io.shardmark.driver.compare.Comparison.PointRatio;
import io.shardmark.driver.compare.Measurement;
import io.shardmark.driver.compare.Place;
import io.shardmark.driver.compare.Ratio;
import io.shardmark.driver.compare.Yardstick;
import io.shardmark.driver.guarantees.Guarantees;
import io.shardmark.driver.report.Columns;
import io.shardmark.driver.report.EventFigure;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.Bottleneck;
import io.shardmark.driver.results.CostFigure;
import io.shardmark.driver.results.EventResult;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.estimate.Interval;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of a comparison. */
final class ComparisonTables {
  private static final String GUARANTEE = "Guarantee";

  /** A text that all of more systems have is shown once. */
  private static final int MOST_REPEATED = 3;

  private final Comparison comparison;
  private final Yardstick yardstick;

  ComparisonTables(Comparison comparison) {
    this.comparison = comparison;
    yardstick = comparison.yardstick();
  }

  /** A point of a system, or one of its runs there. */
  private record PlacedValue<T>(ComparedSystem system, Place place, T value) {}

  private List<PlacedValue<ComparedPoint>> points() {
    return comparison.systems().stream()
        .flatMap(
            system ->
                system.points().stream()
                    .map(point -> new PlacedValue<>(system, point.place(), point)))
        .toList();
  }

  private Stream<PlacedValue<Measurement>> rowsOfRuns() {
    return points().stream()
        .flatMap(
            point ->
                point.value().runs().stream()
                    .map(run -> new PlacedValue<>(point.system(), point.place(), run)));
  }

  private <T> Columns<PlacedValue<T>> columnsOfPlaces() {
    return new Columns<PlacedValue<T>>()
        .text("System", row -> row.system().label())
        .number(scale(), row -> Place.text(row.place().number()))
        .number("Terminals", row -> row.place().terminalsText());
  }

  private String scale() {
    return Texts.upperFirst(yardstick.scale());
  }

  /** Each point of each system with its metrics, one below the other. */
  Table byPoint() {
    Columns<PlacedValue<ComparedPoint>> columns = columnsOfPlaces();
    for (ComparedFigure metric : yardstick.metrics()) {
      columns.number(metric.name(), row -> Texts.three(row.value().mean(metric)));
    }
    return columns.knownOnly("", points());
  }

  /** For each metric and scale a table: concurrent users, then each system. */
  List<Table> throughput() {
    return yardstick.metrics().stream().flatMap(metric -> throughput(metric).stream()).toList();
  }

  private List<Table> throughput(ComparedFigure metric) {
    List<Place> places = points().stream().map(PlacedValue::place).distinct().sorted().toList();
    if (comparison.hasManyScales()) {
      return List.of(throughput(metric, "", comparison.systems(), places));
    }
    return places.stream()
        .map(Place::number)
        .distinct()
        .map(scale -> places.stream().filter(place -> place.number() == scale).toList())
        .map(
            ofScale ->
                throughput(
                    metric,
                    ofScale.get(0).scaleText(),
                    comparison.systems().stream()
                        .filter(system -> system.scales().contains(ofScale.get(0).number()))
                        .toList(),
                    ofScale))
        .toList();
  }

  private Table throughput(
      ComparedFigure metric, String caption, List<ComparedSystem> systems, List<Place> places) {
    Columns<Place> columns = new Columns<Place>().scrolled();
    if (caption.isEmpty()) {
      columns.number(scale(), place -> Place.text(place.number()));
    }
    columns.number("Concurrent users", Place::terminalsText);
    for (ComparedSystem system : systems) {
      columns.number(
          system.label(),
          place -> Texts.three(system.at(place).map(p -> p.mean(metric)).orElse(Double.NaN)));
    }
    return columns.table((caption.isEmpty() ? "" : caption + ", ") + metric.name(), places);
  }

  Table overall() {
    Columns<OverallRatio> columns =
        new Columns<OverallRatio>()
            .scrolled()
            .text("System", OverallRatio::system)
            .number("Points", overall -> String.valueOf(overall.points()));
    return withRatios(columns, OverallRatio::of)
        .knownOnly("Geometric mean over the points that both have", comparison.overall());
  }

  Table ratios() {
    Columns<PointRatio> columns =
        new Columns<PointRatio>()
            .scrolled()
            .text("System", PointRatio::system)
            .number(scale(), one -> against(one.place().number(), one.baseline().number()))
            .number(
                "Terminals", one -> against(one.place().terminals(), one.baseline().terminals()));
    return withRatios(columns, PointRatio::of)
        .text(
            "Rates' interval from",
            one -> one.of(yardstick.main()).map(ComparisonTables::basis).orElse(Texts.NONE))
        .knownOnly("Point by point", comparison.ratios());
  }

  private <R> Columns<R> withRatios(
      Columns<R> columns, BiFunction<R, ComparedFigure, Optional<Ratio>> ratio) {
    for (ComparedFigure metric : yardstick.shown()) {
      columns.number(
          yardstick.words(metric),
          row ->
              ratio
                  .apply(row, metric)
                  .map(one -> text(one) + better(one, metric))
                  .orElse(Texts.NONE));
    }
    return columns;
  }

  private static String against(int number, int baseline) {
    return number == baseline
        ? Place.text(number)
        : Place.text(number) + " against " + Place.text(baseline);
  }

  /** {@code 0.715 (0.690 – 0.741)}; without brackets where there is no interval. */
  private static String text(Ratio ratio) {
    return Texts.text("%.3f", ratio.value())
        + ratio.interval().map(i -> Texts.text(" (%.3f – %.3f)", i.low(), i.high())).orElse("");
  }

  /** Which of the two it speaks for; nothing where chance may explain it, or without intervals. */
  private static String better(Ratio ratio, ComparedFigure metric) {
    Optional<Interval> interval = ratio.interval();
    if (interval.isEmpty() || (interval.get().low() <= 1 && interval.get().high() >= 1)) {
      return "";
    }
    return (ratio.value() > 1) == metric.higherIsBetter() ? " better" : " worse";
  }

  private static String basis(Ratio ratio) {
    return switch (ratio.basis()) {
      case REPETITIONS -> "%d and %d runs".formatted(ratio.samples(), ratio.baselineSamples());
      case PARTS -> "%d and %d parts".formatted(ratio.samples(), ratio.baselineSamples());
      case NONE -> Texts.NONE;
    };
  }

  Table latencies(String type) {
    Columns<PlacedValue<ComparedPoint>> columns = columnsOfPlaces();
    columns
        .scrolled()
        .number("Runs", row -> String.valueOf(row.value().runs().size()))
        .number(
            "Transactions", row -> latency(row, type).map(l -> Texts.count(l.count())).orElse(""));
    for (LatencyFigure one : LatencyFigure.PERCENTILES) {
      columns.number(one.text(), row -> latency(row, type).map(one::shown).orElse(""));
    }
    return columns.knownOnly(
        type + ", in ms", points().stream().filter(row -> latency(row, type).isPresent()).toList());
  }

  private static Optional<Latency> latency(PlacedValue<ComparedPoint> row, String type) {
    return row.value().latency(type);
  }

  Table runs() {
    Columns<PlacedValue<Measurement>> columns = columnsOfPlaces();
    for (ComparedFigure metric : yardstick.metrics()) {
      columns.number(metric.name(), row -> Texts.three(metric.of(row.value())));
    }
    return columns
        .number("Processor us/transaction", row -> Texts.known(row.value().processorMicros()))
        .number(
            "Failed",
            row -> {
              Long failed = row.value().failed();
              return failed == null ? Texts.NONE : Texts.count(failed);
            })
        .text("Measured", row -> length(row.value().result().interval().seconds()))
        .prose("Ending", row -> ending(row.value()))
        .text("Started", row -> started(row.value()))
        .prose("From", row -> row.value().source())
        .knownOnly("", rowsOfRuns().toList());
  }

  /** What each run takes of money and processors. */
  Table costs() {
    List<PlacedValue<Measurement>> rows =
        rowsOfRuns().filter(row -> !row.value().costs().isEmpty()).toList();
    Columns<PlacedValue<Measurement>> columns = columnsOfPlaces();
    rows.stream()
        .flatMap(row -> row.value().costs().stream().map(CostFigure::title))
        .distinct()
        .forEach(title -> columns.number(title, row -> cost(row.value(), title)));
    return columns.table("", rows);
  }

  private static String cost(Measurement run, String title) {
    return run.costs().stream()
        .filter(cost -> cost.title().equals(title))
        .map(
            cost ->
                Texts.three(cost.value())
                    + Optional.ofNullable(cost.interval())
                        .map(
                            i ->
                                " (%s – %s)".formatted(Texts.three(i.low()), Texts.three(i.high())))
                        .orElse(""))
        .findFirst()
        .orElse(Texts.NONE);
  }

  private static String started(Measurement run) {
    return orDash(run.start().replaceFirst("\\.\\d+", "").replaceFirst("T(?=\\d)", " "));
  }

  private static String length(double seconds) {
    return seconds == 0 ? Texts.NONE : Texts.duration(Math.rint(seconds));
  }

  private static String ending(Measurement run) {
    String faults =
        run.faults().stream()
            .map(fault -> fault.kind().subject().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return orDash(run.result().run().ending().jsonName())
        + (faults.isEmpty() ? "" : " (" + faults + ")");
  }

  private static String orDash(String text) {
    return text.isEmpty() ? Texts.NONE : text;
  }

  /** What operating system and database did, as means over the runs of a system. */
  Table observed() {
    List<String> figures =
        rowsOfRuns()
            .flatMap(row -> row.value().observed().figures().keySet().stream())
            .distinct()
            .toList();
    Columns<String> columns = new Columns<String>().scrolled().text("Figure", figure -> figure);
    for (ComparedSystem system : comparison.systems()) {
      columns.number(
          system.label(),
          figure ->
              mean(
                  system.measurements().stream()
                      .map(run -> run.observed().figures().get(figure))
                      .toList()));
    }
    return columns.table("", figures);
  }

  /** A mean of some of the runs says of how many. */
  private static String mean(List<@Nullable Double> runs) {
    List<Double> known = runs.stream().filter(Objects::nonNull).toList();
    String mean =
        Texts.three(known.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN));
    return known.isEmpty() || known.size() == runs.size()
        ? mean
        : mean + " in %d of %d runs".formatted(known.size(), runs.size());
  }

  Table bottlenecks() {
    return new Columns<PlacedValue<Measurement>>()
        .text("System", row -> row.system().label())
        .prose("Bottleneck", row -> bottleneck(row).map(Bottleneck::sentence).orElse(""))
        .prose("From", row -> row.value().source())
        .table("", rowsOfRuns().filter(row -> bottleneck(row).isPresent()).toList());
  }

  private static Optional<Bottleneck> bottleneck(PlacedValue<Measurement> row) {
    return Optional.ofNullable(row.value().result().bottleneck());
  }

  Table conditions() {
    boolean several = comparison.systems().size() > 1;
    Columns<String> columns =
        new Columns<String>().scrolled().text("Condition", condition -> condition);
    for (ComparedSystem system : comparison.systems()) {
      columns.prose(
          system.label(),
          condition -> {
            Set<String> texts = system.conditions().getOrDefault(condition, Set.of());
            return texts.isEmpty() ? "not known" : String.join("; ", texts);
          });
    }
    return columns.table(
        several ? "Conditions that are not alike" : "Conditions",
        comparison.baseline().conditions().keySet().stream()
            .filter(condition -> !several || isUnlike(condition))
            .toList());
  }

  private boolean isUnlike(String condition) {
    List<Set<String>> texts =
        comparison.systems().stream()
            .map(system -> system.conditions().getOrDefault(condition, Set.of()))
            .distinct()
            .toList();
    return texts.size() > 1 || texts.get(0).size() > 1;
  }

  /**
   * What each system promises to transactions, and the settings that decide it. Of many systems
   * what all have is a table of one column.
   */
  List<Table> guarantees() {
    Map<ComparedSystem, List<Map<String, String>>> rows = new LinkedHashMap<>();
    for (ComparedSystem system : comparison.systems()) {
      rows.put(system, system.guarantees().stream().map(Guarantees::rowsWithTests).toList());
    }
    Map<Boolean, List<String>> names =
        rows.values().stream()
            .flatMap(List::stream)
            .flatMap(one -> one.keySet().stream())
            .distinct()
            .collect(Collectors.partitioningBy(name -> isOfAll(name, rows.values())));
    Columns<String> unlike = new Columns<String>().scrolled().text(GUARANTEE, name -> name);
    rows.forEach((system, texts) -> unlike.prose(system.label(), name -> joined(name, texts)));
    return List.of(
        unlike.table("", names.getOrDefault(false, List.of())),
        new Columns<String>()
            .text(GUARANTEE, name -> name)
            .prose(
                "All %d systems".formatted(rows.size()),
                name -> joined(name, rows.values().iterator().next()))
            .table("", names.getOrDefault(true, List.of())));
  }

  private static boolean isOfAll(String name, Collection<List<Map<String, String>>> systems) {
    return systems.size() > MOST_REPEATED
        && systems.stream().map(texts -> joined(name, texts)).distinct().count() == 1;
  }

  private static String joined(String name, List<Map<String, String>> texts) {
    return orDash(
        texts.stream()
            .flatMap(one -> Stream.ofNullable(one.get(name)))
            .distinct()
            .collect(Collectors.joining("; ")));
  }

  /** Every other setting whose values differ. */
  Table differences() {
    Columns<Difference> columns =
        new Columns<Difference>().scrolled().text("Setting", Difference::setting);
    for (ComparedSystem system : comparison.systems()) {
      columns.prose(system.label(), one -> orDash(one.values().getOrDefault(system.name(), "")));
    }
    return columns.table("", comparison.differences());
  }

  /** A figure of an event. */
  private record EventCells(ComparedEvent event, EventFigure figure) {
    String text(ComparedSystem system) {
      List<EventResult> runs = event.of(system);
      return runs.isEmpty() ? Texts.NONE : figure.text().apply(runs);
    }
  }

  /** What each event did to each system: rows of an event, a column for each system. */
  Table events(List<ComparedEvent> events) {
    Columns<EventCells> columns =
        new Columns<EventCells>()
            .scrolled()
            .styled(row -> EventFigure.ALL.contains(row.figure()) ? "" : "total")
            .text("Event", row -> row.figure().name());
    for (ComparedSystem system : comparison.systems()) {
      columns.number(system.label(), row -> row.text(system));
    }
    return columns.table("", events.stream().flatMap(ComparisonTables::figures).toList());
  }

  private static Stream<EventCells> figures(ComparedEvent event) {
    EventFigure head =
        new EventFigure(
            event.label(),
            runs ->
                "at "
                    + Texts.duration(
                        Math.rint(
                            runs.stream()
                                .collect(Collectors.averagingDouble(EventResult::atSeconds)))));
    return Stream.concat(Stream.of(head), EventFigure.ALL.stream())
        .map(figure -> new EventCells(event, figure));
  }
}
