package io.shardmark.driver.report.compare.html;

import io.shardmark.driver.report.LatencyDistribution.CurvePoint;
import io.shardmark.driver.report.compare.ComparedPoint;
import io.shardmark.driver.report.compare.ComparedSystem;
import io.shardmark.driver.report.compare.Comparison;
import io.shardmark.driver.report.compare.Comparison.PointRatio;
import io.shardmark.driver.report.compare.Measurement;
import io.shardmark.driver.report.compare.Metric;
import io.shardmark.driver.report.compare.Metric.Percentile;
import io.shardmark.driver.report.compare.Observed;
import io.shardmark.driver.report.compare.Place;
import io.shardmark.driver.report.compare.Ratio;
import io.shardmark.driver.report.compare.Yardstick;
import io.shardmark.driver.report.estimate.Interval;
import io.shardmark.driver.report.html.ChartData;
import io.shardmark.driver.report.html.ChartData.Line;
import io.shardmark.driver.report.html.Page.Block;
import io.shardmark.driver.report.html.Page.Section;
import io.shardmark.driver.report.html.Texts;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** Curves over the number of terminals, and percentile curves on top of each other. */
final class ComparisonCharts {
  private static final String TERMINALS = "terminals";
  private static final Line NO_LINE = new Line(List.of(), List.of(), List.of(), List.of());

  /** The page stays below 3 MB whatever is compared. */
  private static final int MOST_CURVES = 1500;

  private static final int MOST_PLACES = 24;

  /** More lines over time nobody can tell apart. */
  private static final int MOST_RUNS = 8;

  private static final int MOST_POINTS = 120;

  private final Comparison comparison;

  /** Whether a step is a place; else it is a number of terminals, at each curve's own scale. */
  private final boolean byPlace;

  private final List<Place> steps;
  private final List<Curve> curves = new ArrayList<>();

  /** A system, at one scale or at all: one line in each chart, of one colour. */
  private record Curve(String key, String name, ComparedSystem system, int scale) {}

  ComparisonCharts(Comparison comparison) {
    this.comparison = comparison;
    byPlace = comparison.hasManyScales();
    steps =
        points()
            .map(point -> point.place())
            .map(place -> byPlace ? place : place.at(0))
            .distinct()
            .sorted()
            .toList();
    long scales = points().map(point -> point.place().number()).distinct().count();
    for (ComparedSystem system : comparison.systems()) {
      for (int scale : byPlace ? List.of(0) : system.scales()) {
        String name =
            byPlace || scales == 1
                ? system.label()
                : system.label() + ", " + scale + " " + comparison.yardstick().scale();
        curves.add(new Curve("s" + curves.size(), name, system, scale));
      }
    }
  }

  private ChartData lines(String unit, List<Place> places) {
    return ChartData.lines(
        unit,
        byPlace ? comparison.yardstick().scale() + " / terminals" : TERMINALS,
        places.stream().map(this::text).toList());
  }

  private String text(Place step) {
    return byPlace ? step.number() + " / " + step.terminalsText() : step.terminalsText();
  }

  private Place place(Curve curve, Place step) {
    return byPlace ? step : step.at(curve.scale());
  }

  private Optional<ComparedPoint> point(Curve curve, Place step) {
    return curve.system().at(place(curve, step));
  }

  private List<Double> values(Curve curve, Function<ComparedPoint, Double> value) {
    return values(curve, steps, value);
  }

  private List<Double> values(
      Curve curve, List<Place> places, Function<ComparedPoint, Double> value) {
    return places.stream().map(step -> point(curve, step).map(value).orElse(Double.NaN)).toList();
  }

  Block throughput() {
    if (steps.size() == 1) {
      return bars(steps.get(0));
    }
    ChartData chart = lines(comparison.yardstick().unitWords(), steps);
    for (Metric metric : comparison.yardstick().ofOneUnit()) {
      chart.view(metric.name());
      for (Curve curve : curves) {
        List<List<Double>> dots =
            steps.stream()
                .map(step -> point(curve, step))
                .map(point -> point.map(found -> found.values(metric)).orElse(List.of()))
                .map(runs -> runs.size() > 1 ? runs : List.<Double>of())
                .toList();
        Line line =
            new Line(
                values(curve, point -> point.mean(metric)), NO_LINE.low(), NO_LINE.high(), dots);
        chart.line(curve.key(), curve.name(), line, curve.system().isPublished());
      }
    }
    return Block.of(
        chart.build(
            "chart-throughput",
            "Throughput over concurrent users",
            "",
            "Small dots are single runs. Dashed lines are published figures. Steps are evenly"
                + " spaced, whatever lies between them."));
  }

  /** Of one place: a curve of one point is none. */
  private Block bars(Place step) {
    List<Metric> metrics = comparison.yardstick().ofOneUnit();
    ChartData chart =
        ChartData.steps(
            comparison.yardstick().unitWords(), metrics.stream().map(Metric::name).toList());
    for (Curve curve : curves) {
      point(curve, step)
          .ifPresent(
              point ->
                  chart.series(
                      curve.key(), curve.name(), metrics.stream().map(point::mean).toList()));
    }
    return Block.of(chart.build("chart-throughput", "Throughput", "half", ""));
  }

  /** Main rate and response time of each run, from the start of its measurement interval. */
  Optional<Section> overTime() {
    double width = 1;
    double longest = 0;
    List<Observed.OverTime> all = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (ComparedSystem system : comparison.systems()) {
      for (ComparedPoint point : system.points()) {
        for (Measurement run : point.runs()) {
          Observed.OverTime one = run.observed().overTime();
          if (!one.successes().isEmpty() && all.size() < MOST_RUNS) {
            all.add(one);
            names.add(nameOf(system, point, run));
            width = Math.max(width, one.widthSeconds());
            longest = Math.max(longest, one.widthSeconds() * one.successes().size());
          }
        }
      }
    }
    if (all.size() < 2) {
      return Optional.empty();
    }
    while (longest / width > MOST_POINTS) {
      width *= 2;
    }
    Yardstick yardstick = comparison.yardstick();
    ChartData rates =
        ChartData.time(yardstick.rateSeconds() == 1 ? "per second" : "per minute", width, longest);
    ChartData latencies = ChartData.time("ms", width, longest);
    for (int i = 0; i < all.size(); i++) {
      Observed.OverTime one = all.get(i).in(width);
      rates.series("s" + i, names.get(i), one.per(yardstick.rateSeconds()));
      latencies.series("s" + i, names.get(i), one.meanMillis());
    }
    return Optional.of(
        new Section(
            "time",
            "Over time",
            "From the start of each run's measurement interval.",
            List.of(
                Block.of(rates.build("chart-time-rate", yardstick.rateWords(), "", "")),
                Block.of(
                    latencies.build(
                        "chart-time-latency",
                        "Mean response time of " + yardstick.typeWords(),
                        "",
                        "")))));
  }

  private String nameOf(ComparedSystem system, ComparedPoint point, Measurement run) {
    String name = system.label() + (steps.size() == 1 ? "" : ", " + text(point.place()));
    return point.runs().size() == 1 ? name : name + ", run " + (1 + point.runs().indexOf(run));
  }

  Optional<Block> ratios() {
    if (steps.size() == 1) {
      return Optional.empty(); // the table says it
    }
    ChartData chart = lines("ratio", steps).mark(1);
    for (Metric metric : comparison.yardstick().metrics()) {
      chart.view(metric.name());
      for (Curve curve : curves) {
        Line line = ratios(curve, metric);
        if (line.values().stream().anyMatch(Double::isFinite)) {
          chart.line(curve.key(), curve.name(), line, curve.system().isPublished());
        }
      }
    }
    return Optional.of(
        Block.of(
            chart.build(
                "chart-ratio",
                "Ratio over concurrent users",
                "",
                "1 is the baseline. Bars are 95 % intervals where there are any.")));
  }

  private Line ratios(Curve curve, Metric metric) {
    List<Double> values = new ArrayList<>();
    List<Double> low = new ArrayList<>();
    List<Double> high = new ArrayList<>();
    for (Place step : steps) {
      Optional<Ratio> ratio = ratio(curve, place(curve, step), metric);
      values.add(ratio.map(Ratio::value).orElse(Double.NaN));
      low.add(ratio.flatMap(Ratio::interval).map(Interval::low).orElse(Double.NaN));
      high.add(ratio.flatMap(Ratio::interval).map(Interval::high).orElse(Double.NaN));
    }
    return new Line(values, low, high, NO_LINE.dots());
  }

  private Optional<Ratio> ratio(Curve curve, Place place, Metric metric) {
    return comparison.ratios().stream()
        .filter(point -> point.system().equals(curve.system().name()))
        .filter(point -> point.place().equals(place))
        .findFirst()
        .flatMap((PointRatio point) -> point.of(metric));
  }

  /** Types that any point has latencies of, the counted ones together first. */
  private List<String> types() {
    Set<String> types = new LinkedHashSet<>(comparison.yardstick().tabled());
    Set<String> found = new TreeSet<>();
    points().forEach(point -> found.addAll(point.latencies().keySet()));
    types.addAll(found);
    types.retainAll(found);
    return List.copyOf(types);
  }

  private Stream<ComparedPoint> points() {
    return comparison.systems().stream().flatMap(system -> system.points().stream());
  }

  private List<Place> stepsWithLatencies() {
    return steps.stream()
        .filter(
            step ->
                curves.stream()
                    .anyMatch(
                        curve ->
                            point(curve, step)
                                .filter(point -> !point.latencies().isEmpty())
                                .isPresent()))
        .toList();
  }

  private List<Double> values(Curve curve, String type, Percentile percentile) {
    return values(
        curve,
        stepsWithLatencies(),
        point -> point.latency(type).map(percentile::of).orElse(Double.NaN));
  }

  private boolean isKnown(String type, Percentile percentile) {
    return curves.stream()
        .anyMatch(curve -> values(curve, type, percentile).stream().anyMatch(Double::isFinite));
  }

  /** One percentile of one type over the number of terminals. */
  Optional<Block> percentiles() {
    List<String> types = types();
    List<Percentile> percentiles =
        Metric.PERCENTILES.stream()
            .filter(percentile -> types.stream().anyMatch(type -> isKnown(type, percentile)))
            .toList();
    List<Place> known = stepsWithLatencies();
    if (steps.size() == 1 && !percentiles.isEmpty()) {
      return Optional.of(percentileBars(types, percentiles));
    }
    // One point of a curve says no more than the table.
    if (percentiles.isEmpty() || known.size() < Math.min(2, steps.size())) {
      return Optional.empty();
    }
    List<String> names = percentiles.stream().map(Percentile::name).toList();
    ChartData chart = lines("ms", known);
    chart.choices("Type", types);
    chart.choices("Percentile", names);
    for (String type : types) {
      for (Percentile percentile : percentiles) {
        chart.view(type + " " + percentile.name());
        for (Curve curve : curves) {
          List<Double> values = values(curve, type, percentile);
          if (values.stream().anyMatch(Double::isFinite)) {
            Line line = new Line(values, NO_LINE.low(), NO_LINE.high(), NO_LINE.dots());
            chart.line(curve.key(), curve.name(), line, curve.system().isPublished());
          }
        }
      }
    }
    chart.firstView(Math.max(0, names.indexOf("p95")));
    return Optional.of(
        Block.of(chart.build("chart-percentiles", "Response time over concurrent users", "", "")));
  }

  private Block percentileBars(List<String> types, List<Percentile> percentiles) {
    List<Percentile> shown = percentiles.stream().filter(one -> !one.name().equals("max")).toList();
    ChartData chart = ChartData.steps("ms", shown.stream().map(Percentile::name).toList());
    for (String type : types) {
      chart.view(type);
      for (Curve curve : curves) {
        List<Double> values =
            shown.stream().flatMap(one -> values(curve, type, one).stream().limit(1)).toList();
        chart.series(curve.key(), curve.name(), values);
      }
    }
    return Block.of(chart.build("chart-percentiles", "Response time", "half", ""));
  }

  /** Percentile curves on top of each other, for one number of terminals at a time. */
  Optional<Block> curves() {
    List<Place> shownSteps =
        steps.stream()
            .filter(step -> curves.stream().anyMatch(curve -> hasCurve(curve, step)))
            .limit(MOST_PLACES)
            .toList();
    List<String> types =
        types().stream()
            .filter(type -> points().anyMatch(point -> point.curves().containsKey(type)))
            .toList();
    if (shownSteps.isEmpty() || types.isEmpty()) {
      return Optional.empty();
    }
    int most = Math.max(2, MOST_CURVES / shownSteps.size() / curves.size());
    List<String> shown = types.subList(0, Math.min(types.size(), most));
    ChartData chart = ChartData.curve("ms");
    chart.choices(
        byPlace ? Texts.upperFirst(comparison.yardstick().scale()) + " / terminals" : "Terminals",
        shownSteps.stream().map(this::text).toList());
    chart.choices("Type", shown);
    for (Place step : shownSteps) {
      for (String type : shown) {
        chart.view(text(step) + " " + type);
        addCurves(chart, step, type);
      }
    }
    return Optional.of(
        Block.of(
            chart.build(
                "chart-curves",
                "Latency by percentile",
                steps.size() == 1 ? "half" : "",
                "Read at 99 %: of a hundred transactions one took longer. Both axes are"
                    + " logarithmic.")));
  }

  private boolean hasCurve(Curve curve, Place step) {
    return point(curve, step).filter(point -> !point.curves().isEmpty()).isPresent();
  }

  private void addCurves(ChartData chart, Place step, String type) {
    for (Curve curve : curves) {
      List<CurvePoint> points =
          point(curve, step)
              .map(point -> point.curves().getOrDefault(type, List.of()))
              .orElse(List.of());
      if (!points.isEmpty()) {
        chart.curve(curve.key(), curve.name(), points);
      }
    }
  }
}
