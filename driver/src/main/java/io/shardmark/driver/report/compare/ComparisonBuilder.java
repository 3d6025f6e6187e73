package io.shardmark.driver.report.compare;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.report.compare.Comparison.Choices;
import io.shardmark.driver.report.compare.Comparison.OverallRatio;
import io.shardmark.driver.report.compare.Comparison.PointRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Lays systems beside each other. */
final class ComparisonBuilder {
  private ComparisonBuilder() {}

  static Comparison of(
      Choices choices, Yardstick yardstick, List<ComparedSystem> named, List<String> missing) {
    List<ComparedSystem> systems = withFirst(choices.baseline(), named);
    ComparedSystem baseline = systems.get(0);
    RatioArithmetic arithmetic = new RatioArithmetic(baseline, yardstick);
    List<PointRatio> ratios = new ArrayList<>();
    List<OverallRatio> overall = new ArrayList<>();
    for (ComparedSystem system : systems.subList(1, systems.size())) {
      List<PointRatio> points = arithmetic.points(system);
      ratios.addAll(points);
      arithmetic.overall(system, points).ifPresent(overall::add);
    }
    FlagFinder finder = new FlagFinder(systems).find();
    return new Comparison(
        choices.title().orElseGet(() -> title(systems)),
        yardstick,
        systems,
        ratios,
        overall,
        finder.flags(),
        finder.alike(),
        finder.notes(),
        DifferenceFinder.of(systems),
        missing);
  }

  private static List<ComparedSystem> withFirst(
      Optional<String> baseline, List<ComparedSystem> systems) {
    if (baseline.isEmpty()) {
      return systems;
    }
    List<ComparedSystem> ordered = new ArrayList<>(systems);
    ordered.removeIf(system -> !system.name().equals(baseline.get()));
    if (ordered.isEmpty()) {
      throw new ConfigException(
          "--baseline %s: there is no such system, expected one of: %s"
              .formatted(
                  baseline.get(),
                  systems.stream().map(ComparedSystem::name).collect(Collectors.joining(", "))));
    }
    systems.stream().filter(system -> !ordered.contains(system)).forEach(ordered::add);
    return ordered;
  }

  private static String title(List<ComparedSystem> systems) {
    String baseline = systems.get(0).name();
    return systems.size() == 1
        ? baseline
        : systems.stream().skip(1).map(ComparedSystem::name).collect(Collectors.joining(", "))
            + " against "
            + baseline;
  }
}
