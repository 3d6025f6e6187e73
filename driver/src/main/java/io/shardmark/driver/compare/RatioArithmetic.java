package io.shardmark.driver.compare;

import io.shardmark.driver.compare.Comparison.OverallRatio;
import io.shardmark.driver.compare.Comparison.PointRatio;
import io.shardmark.driver.compare.Ratio.Basis;
import io.shardmark.driver.results.estimate.BatchMeans;
import io.shardmark.driver.results.estimate.LogEstimate;
import io.shardmark.driver.results.reader.Certainty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ratios to the baseline, with intervals where there is something to take them from. */
record RatioArithmetic(ComparedSystem baseline, Yardstick yardstick) {
  /**
   * A point of a system and that of the baseline that it is compared with: of as many terminals;
   * places differ only where {@link FlagFinder} says so.
   */
  private record Pair(ComparedPoint point, ComparedPoint baseline) {}

  private List<Pair> pairs(ComparedSystem system) {
    List<Pair> pairs = new ArrayList<>();
    boolean share = system.scales().stream().anyMatch(baseline.scales()::contains);
    for (ComparedPoint point : system.points()) {
      int own = point.place().number();
      int scale = share ? own : nearest(own, baseline.scales());
      baseline.at(point.place().at(scale)).ifPresent(other -> pairs.add(new Pair(point, other)));
    }
    if (pairs.isEmpty() && system.points().size() == 1 && baseline.points().size() == 1) {
      // Two single runs were named to be compared, whatever their terminals.
      pairs.add(new Pair(system.points().get(0), baseline.points().get(0)));
    }
    return pairs;
  }

  /** The scale which is the fewest times larger or smaller. */
  private static int nearest(int number, List<Integer> scales) {
    Optional<Integer> nearest =
        scales.stream()
            .min(
                Comparator.comparingDouble(
                    scale -> Math.abs(Math.log((scale + 0.5) / (number + 0.5)))));
    return nearest.orElse(number);
  }

  List<PointRatio> points(ComparedSystem system) {
    List<PointRatio> points = new ArrayList<>();
    boolean published = system.isPublished() || baseline.isPublished();
    for (Pair pair : pairs(system)) {
      Map<String, Ratio> ratios = new LinkedHashMap<>();
      for (ComparedFigure metric : yardstick.compared()) {
        ratio(metric, pair, published).ifPresent(ratio -> ratios.put(metric.name(), ratio));
      }
      points.add(
          new PointRatio(system.name(), pair.point().place(), pair.baseline().place(), ratios));
    }
    return points;
  }

  /** A figure of one measured point over that of another, wherever these are. */
  static Optional<Ratio> ratio(ComparedFigure metric, ComparedPoint point, ComparedPoint baseline) {
    return ratio(metric, new Pair(point, baseline), false);
  }

  private static Optional<Ratio> ratio(ComparedFigure metric, Pair pair, boolean published) {
    List<Double> values = pair.point().values(metric);
    List<Double> others = pair.baseline().values(metric);
    double value = pair.point().mean(metric) / pair.baseline().mean(metric);
    if (!(value > 0) || Double.isInfinite(value)) {
      return Optional.empty(); // not known, or nothing was done on one side
    }
    if (pair.point().isLowerBound(metric) || pair.baseline().isLowerBound(metric)) {
      return Optional.of(Ratio.without(value, "a percentile is a lower bound"));
    }
    if (published) {
      return Optional.of(Ratio.without(value, "published figures have no spread"));
    }
    if (values.size() > 1 && others.size() > 1) {
      return Optional.of(repeated(values, others, value));
    }
    return Optional.of(
        metric.hasParts() ? ofParts(metric, pair, value) : Ratio.without(value, reason(metric)));
  }

  private static String reason(ComparedFigure metric) {
    return (metric.unit().equals("ms") ? "percentiles need" : metric.name() + " needs")
        + " two runs on each side";
  }

  private static Ratio repeated(List<Double> values, List<Double> others, double value) {
    if (!values.stream().allMatch(v -> v > 0) || !others.stream().allMatch(v -> v > 0)) {
      return Ratio.without(value, "one of the runs did nothing");
    }
    LogEstimate ratio = LogEstimate.ofRepetitions(values).over(LogEstimate.ofRepetitions(others));
    return Ratio.of(ratio, Basis.REPETITIONS, values.size(), others.size());
  }

  private static Ratio ofParts(ComparedFigure metric, Pair pair, double value) {
    List<Double> parts = parts(pair.point(), metric);
    List<Double> others = parts(pair.baseline(), metric);
    if (parts.size() < Certainty.FEWEST_PARTS || others.size() < Certainty.FEWEST_PARTS) {
      return Ratio.without(
          value,
          parts.isEmpty() || others.isEmpty()
              ? "no figures over time"
              : "too little over time: %d and %d parts".formatted(parts.size(), others.size()));
    }
    BatchMeans own = BatchMeans.of(parts);
    BatchMeans baseline = BatchMeans.of(others);
    LogEstimate ratio =
        LogEstimate.ofParts(pair.point().mean(metric), own)
            .over(LogEstimate.ofParts(pair.baseline().mean(metric), baseline));
    return Ratio.of(ratio, Basis.PARTS, own.parts().size(), baseline.parts().size());
  }

  private static List<Double> parts(ComparedPoint point, ComparedFigure metric) {
    return point.runs().stream()
        .flatMap(run -> run.parts().getOrDefault(metric.name(), List.of()).stream())
        .toList();
  }

  /** Empty if no place is shared. */
  Optional<OverallRatio> overall(ComparedSystem system, List<PointRatio> points) {
    Map<String, Ratio> ratios = new LinkedHashMap<>();
    Map<String, Integer> pointsOf = new LinkedHashMap<>();
    for (ComparedFigure metric : yardstick.compared()) {
      List<Ratio> known = points.stream().flatMap(point -> point.of(metric).stream()).toList();
      if (!known.isEmpty()) {
        ratios.put(metric.name(), together(known));
        pointsOf.put(metric.name(), known.size());
      }
    }
    return points.isEmpty()
        ? Optional.empty()
        : Optional.of(new OverallRatio(system.name(), points.size(), pointsOf, ratios));
  }

  private static Ratio together(List<Ratio> ratios) {
    if (ratios.size() == 1) {
      return ratios.get(0);
    }
    LogEstimate mean = LogEstimate.meanOf(ratios.stream().map(Ratio::estimate).toList());
    Optional<Ratio> bare = ratios.stream().filter(r -> r.basis() == Basis.NONE).findFirst();
    if (bare.isPresent()) {
      return Ratio.without(mean.value(), bare.get().reason());
    }
    boolean repeated = ratios.stream().allMatch(ratio -> ratio.basis() == Basis.REPETITIONS);
    return Ratio.of(
        mean,
        repeated ? Basis.REPETITIONS : Basis.PARTS,
        ratios.stream().mapToInt(Ratio::samples).sum(),
        ratios.stream().mapToInt(Ratio::baselineSamples).sum());
  }
}
