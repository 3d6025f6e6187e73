package io.shardmark.driver.compare.html;

import io.shardmark.driver.compare.ComparedEvent;
import io.shardmark.driver.compare.ComparedFigure;
import io.shardmark.driver.compare.ComparedPoint;
import io.shardmark.driver.compare.ComparedSystem;
import io.shardmark.driver.compare.Comparison;
import io.shardmark.driver.compare.Measurement;
import io.shardmark.driver.compare.Observed.OverTime;
import io.shardmark.driver.compare.Place;
import io.shardmark.driver.compare.Ratio;
import io.shardmark.driver.compare.Yardstick;
import io.shardmark.driver.report.ChartData;
import io.shardmark.driver.report.Page.Chart;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.EventResult;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.estimate.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Curves over the number of terminals, and percentile curves on top of each other. */
final class ComparisonCharts {

  /** The page stays below 3 MB whatever is compared. */
  private static final int MOST_CURVES = 1500;

  private static final int MOST_PLACES = 24;

  /** Nobody can distinguish more lines over time. */
  private static final int MOST_RUNS = 8;

  private static final int MOST_POINTS = 120;

  private final Comparison comparison;

  /** Whether a step is a place; else it is a number of terminals, at each curve's own scale. */
  private final boolean byPlace;

  private final List<Place> steps;
  private final List<ComparedCurve> curves = new ArrayList<>();

  /** A system, at one scale or at all: one line in each chart, of one colour. */
  private record ComparedCurve(String key, String name, ComparedSystem system, int scale) {}

  ComparisonCharts(Comparison comparison) {
    this.comparison = comparison;
    byPlace = comparison.hasManyScales();
    steps =
        points()
            .map(point -> byPlace ? point.place() : point.place().at(0))
            .distinct()
            .sorted()
            .toList();
    long scales = points().map(point -> point.place().number()).distinct().count();
    for (ComparedSystem system : comparison.systems()) {
      for (int scale : byPlace ? List.of(0) : system.scales()) {
        String name =
            byPlace || scales == 1
                ? system.label()
                : system.label() + ", " + Place.text(scale) + " " + comparison.yardstick().scale();
        curves.add(new ComparedCurve("s" + curves.size(), name, system, scale));
      }
    }
  }

  private ChartData lines(String unit, List<Place> places) {
    return ChartData.lines(
        unit,
        byPlace ? comparison.yardstick().scale() + " / terminals" : "terminals",
        places.stream().map(this::text).toList());
  }

  private String text(Place step) {
    return byPlace ? step.number() + " / " + step.terminalsText() : step.terminalsText();
  }

  private Optional<ComparedPoint> point(ComparedCurve curve, Place step) {
    return curve.system().at(place(curve, step));
  }

  private Place place(ComparedCurve curve, Place step) {
    return byPlace ? step : step.at(curve.scale());
  }

  private List<Double> values(
      ComparedCurve curve, List<Place> places, Function<ComparedPoint, Double> value) {
    return places.stream().map(step -> point(curve, step).map(value).orElse(Double.NaN)).toList();
  }

  /** Adds a line unless no value of it is known. */
  private static void add(
      ChartData chart, ComparedCurve curve, List<Double> values, List<List<Double>> dots) {
    add(chart, curve, new ChartData.ChartLine(values, List.of(), List.of(), dots));
  }

  private static void add(ChartData chart, ComparedCurve curve, ChartData.ChartLine line) {
    if (line.values().stream().anyMatch(Double::isFinite)) {
      chart.line(curve.key(), curve.name(), line, curve.system().isPublished());
    }
  }

  Chart throughput() {
    List<ComparedFigure> metrics = comparison.yardstick().ofOneUnit();
    String unit = comparison.yardstick().unitWords();
    if (steps.size() == 1) { // one point makes no curve
      ChartData bars = ChartData.steps(unit, metrics.stream().map(ComparedFigure::name).toList());
      for (ComparedCurve curve : curves) {
        point(curve, steps.get(0))
            .map(point -> metrics.stream().map(point::mean).toList())
            .ifPresent(means -> bars.series(curve.key(), curve.name(), means));
      }
      return bars.build("chart-throughput", "Throughput", "half", "");
    }
    ChartData chart = lines(unit, steps);
    for (ComparedFigure metric : metrics) {
      chart.view(metric.name());
      for (ComparedCurve curve : curves) {
        List<List<Double>> dots =
            steps.stream()
                .map(step -> point(curve, step).map(p -> p.values(metric)).orElse(List.of()))
                .map(runs -> runs.size() > 1 ? runs : List.<Double>of())
                .toList();
        add(chart, curve, values(curve, steps, point -> point.mean(metric)), dots);
      }
    }
    return chart.build(
        "chart-throughput",
        "Throughput over concurrent users",
        "",
        "Small dots are single runs. Dashed lines are published figures. Steps are evenly"
            + " spaced, whatever lies between them.");
  }

  /** Main rate and response time of each run, from the start of its measurement interval. */
  Section overTime() {
    Map<String, OverTime> all = new LinkedHashMap<>();
    for (ComparedSystem system : comparison.systems()) {
      for (ComparedPoint point : system.points()) {
        for (Measurement run : point.runs()) {
          OverTime one = run.observed().overTime();
          if (!one.successes().isEmpty() && all.size() < MOST_RUNS) {
            all.put(nameOf(system, point, run), one);
          }
        }
      }
    }
    double longest = all.values().stream().mapToDouble(OverTime::seconds).max().orElse(0);
    double width = all.values().stream().mapToDouble(OverTime::widthSeconds).max().orElse(1);
    while (longest / width > MOST_POINTS) {
      width *= 2;
    }
    Yardstick yardstick = comparison.yardstick();
    ChartData rates =
        ChartData.time(yardstick.rateSeconds() == 1 ? "per second" : "per minute", width, longest);
    ChartData latencies = ChartData.time("ms", width, longest);
    List<ComparedEvent> events = ComparedEvent.of(comparison.systems());
    events.forEach(event -> List.of(rates, latencies).forEach(chart -> add(chart, event)));
    int index = 0;
    for (Map.Entry<String, OverTime> run : all.entrySet()) {
      OverTime one = run.getValue().in(width);
      if (all.size() > 1) { // one run alone has its own page
        rates.series("s" + index, run.getKey(), one.per(yardstick.rateSeconds()));
        latencies.series("s" + index, run.getKey(), one.meanMillis());
      }
      index++;
    }
    return new Section(
        "time",
        "Over time",
        "From the start of each run's measurement interval."
            + (events.isEmpty() ? "" : " Shaded times are events."),
        List.of(
            rates.build("chart-time-rate", yardstick.rateWords(), "", ""),
            latencies.build(
                "chart-time-latency", "Mean response time of " + yardstick.typeWords(), "", "")));
  }

  /** One area if it began at about one time everywhere, else one for each system. */
  private static void add(ChartData chart, ComparedEvent event) {
    if (event.isAtOneTime()) {
      area(chart, event.label(), event.all());
    } else {
      event.results().forEach((name, runs) -> area(chart, event.label() + ", " + name, runs));
    }
  }

  private static void area(ChartData chart, String name, List<EventResult> runs) {
    chart.area(
        name,
        runs.stream().mapToDouble(EventResult::atSeconds).min().orElse(0),
        runs.stream().mapToDouble(run -> run.atSeconds() + run.seconds()).max().orElse(0));
  }

  private String nameOf(ComparedSystem system, ComparedPoint point, Measurement run) {
    String name = system.label() + (steps.size() == 1 ? "" : ", " + text(point.place()));
    return point.runs().size() == 1 ? name : name + ", run " + (1 + point.runs().indexOf(run));
  }

  /** Empty if there is one step: the table says it. */
  Chart ratios() {
    ChartData chart = lines("ratio", steps).mark(1);
    for (ComparedFigure metric :
        steps.size() == 1 ? List.<ComparedFigure>of() : comparison.yardstick().metrics()) {
      chart.view(metric.name());
      curves.forEach(curve -> add(chart, curve, ratios(curve, metric)));
    }
    return chart.build(
        "chart-ratio",
        "Ratio over concurrent users",
        "",
        "1 is the baseline. Bars are 95 % intervals where there are any.");
  }

  private ChartData.ChartLine ratios(ComparedCurve curve, ComparedFigure metric) {
    List<Optional<Ratio>> ratios =
        steps.stream().map(step -> ratio(curve, place(curve, step), metric)).toList();
    return new ChartData.ChartLine(
        known(ratios, ratio -> Optional.of(ratio.value())),
        known(ratios, ratio -> ratio.interval().map(Interval::low)),
        known(ratios, ratio -> ratio.interval().map(Interval::high)),
        List.of());
  }

  private static List<Double> known(
      List<Optional<Ratio>> ratios, Function<Ratio, Optional<Double>> value) {
    return ratios.stream().map(ratio -> ratio.flatMap(value).orElse(Double.NaN)).toList();
  }

  private Optional<Ratio> ratio(ComparedCurve curve, Place place, ComparedFigure metric) {
    return comparison.ratios().stream()
        .filter(point -> point.system().equals(curve.system().name()))
        .filter(point -> point.place().equals(place))
        .findFirst()
        .flatMap(point -> point.of(metric));
  }

  /** Types that any point has latencies of, the counted ones together first. */
  private List<String> types() {
    Set<String> found = new TreeSet<>();
    points().forEach(point -> found.addAll(point.latencies().keySet()));
    return Stream.concat(comparison.yardstick().tabled().stream(), found.stream())
        .filter(found::contains)
        .distinct()
        .toList();
  }

  private Stream<ComparedPoint> points() {
    return comparison.systems().stream().flatMap(system -> system.points().stream());
  }

  /** Steps at which any curve has something. */
  private List<Place> steps(Predicate<ComparedPoint> has) {
    return steps.stream()
        .filter(step -> curves.stream().anyMatch(c -> point(c, step).filter(has).isPresent()))
        .toList();
  }

  private List<Double> values(
      ComparedCurve curve, List<Place> places, String type, LatencyFigure percentile) {
    return values(
        curve, places, point -> point.latency(type).map(percentile::of).orElse(Double.NaN));
  }

  Chart percentiles() {
    List<String> types = types();
    List<Place> known = steps(point -> !point.latencies().isEmpty());
    List<LatencyFigure> percentiles =
        LatencyFigure.PERCENTILES.stream()
            .filter(
                one ->
                    points()
                        .flatMap(point -> point.latencies().values().stream())
                        .anyMatch(latency -> Double.isFinite(one.of(latency))))
            .toList();
    if (steps.size() == 1) {
      return percentileBars(types, percentiles);
    }
    List<String> names = percentiles.stream().map(LatencyFigure::text).toList();
    ChartData chart = lines("ms", known);
    chart.choices("Type", types);
    chart.choices("Percentile", names);
    // One point of a curve says no more than the table.
    for (String type : known.size() < 2 ? List.<String>of() : types) {
      for (LatencyFigure percentile : percentiles) {
        chart.view(type + " " + percentile.text());
        curves.forEach(
            curve -> add(chart, curve, values(curve, known, type, percentile), List.of()));
      }
    }
    chart.firstView(Math.max(0, names.indexOf("p95")));
    return chart.build("chart-percentiles", "Response time over concurrent users", "", "");
  }

  private Chart percentileBars(List<String> types, List<LatencyFigure> percentiles) {
    List<LatencyFigure> shown =
        percentiles.stream().filter(one -> one != LatencyFigure.MAX).toList();
    ChartData chart = ChartData.steps("ms", shown.stream().map(LatencyFigure::text).toList());
    for (String type : shown.isEmpty() ? List.<String>of() : types) {
      chart.view(type);
      for (ComparedCurve curve : curves) {
        chart.series(
            curve.key(),
            curve.name(),
            shown.stream().map(one -> values(curve, steps, type, one).get(0)).toList());
      }
    }
    return chart.build("chart-percentiles", "Response time", "half", "");
  }

  /** Percentile curves on top of each other, for one number of terminals at a time. */
  Chart curves() {
    List<Place> known = steps(point -> !point.curves().isEmpty());
    List<Place> shownSteps = known.subList(0, Math.min(known.size(), MOST_PLACES));
    List<String> types =
        types().stream()
            .filter(type -> points().anyMatch(point -> point.curves().containsKey(type)))
            .toList();
    int most = Math.max(2, MOST_CURVES / Math.max(1, shownSteps.size()) / curves.size());
    List<String> shown = types.subList(0, Math.min(types.size(), most));
    ChartData chart = ChartData.curve("ms");
    chart.choices(
        byPlace ? Texts.upperFirst(comparison.yardstick().scale()) + " / terminals" : "Terminals",
        shownSteps.stream().map(this::text).toList());
    chart.choices("Type", shown);
    for (Place step : shownSteps) {
      for (String type : shown) {
        chart.view(text(step) + " " + type);
        for (ComparedCurve curve : curves) {
          point(curve, step)
              .map(point -> point.curves().get(type))
              .ifPresent(points -> chart.curve(curve.key(), curve.name(), points));
        }
      }
    }
    return chart.build(
        "chart-curves",
        "Latency by percentile",
        steps.size() == 1 ? "half" : "",
        "Read at 99 %: of a hundred transactions one took longer. Both axes are" + " logarithmic.");
  }
}
