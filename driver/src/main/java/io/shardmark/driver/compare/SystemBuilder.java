package io.shardmark.driver.compare;

import io.shardmark.driver.compare.ComparedSystem.Publication;
import io.shardmark.driver.results.Latencies;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.reader.LatencyDistribution;
import io.shardmark.driver.results.reader.LatencyDistribution.CurvePoint;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.TypeData;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Brings the runs of a system together. Of each run only its figures are kept; histograms are added
 * up by place and type, so that memory grows with the places and not with the runs.
 */
final class SystemBuilder {
  private final Optional<Publication> publication;
  private final Map<Place, PointBuilder> points = new TreeMap<>();
  private final Map<String, Set<String>> conditions = new LinkedHashMap<>();
  private final Map<String, Set<String>> settings = new LinkedHashMap<>();

  SystemBuilder() {
    this(Optional.empty());
  }

  SystemBuilder(Optional<Publication> publication) {
    this.publication = publication;
  }

  private static final class PointBuilder {
    private final List<Measurement> runs = new ArrayList<>();
    private final Map<String, LatencyDistribution> distributions = new LinkedHashMap<>();

    private ComparedPoint build(Place place) {
      SortedMap<String, Latency> latencies = new TreeMap<>();
      Map<String, List<CurvePoint>> curves = new LinkedHashMap<>();
      // One run's own figures are exact where its histogram is cut.
      if (runs.size() == 1) {
        latencies.putAll(runs.get(0).latencies());
      }
      distributions.forEach(
          (type, distribution) -> {
            latencies.putIfAbsent(type, distribution.figures());
            curves.put(type, distribution.curve());
          });
      return new ComparedPoint(place, runs, latencies, curves);
    }
  }

  private static Place place(RunData run, RunSettings settings, Yardstick yardstick) {
    return yardstick.place(
        known(run.result().scale().number(), settings, yardstick.scale()),
        known((int) run.result().configuration().whole("terminals"), settings, "terminals"));
  }

  private static int known(int number, RunSettings settings, String key) {
    if (number > 0) {
      return number;
    }
    try {
      return Math.max(0, Integer.parseInt(settings.all().getOrDefault(key, "")));
    } catch (NumberFormatException e) {
      return 0; // nobody said
    }
  }

  private PointBuilder point(Place place) {
    return points.computeIfAbsent(place, key -> new PointBuilder());
  }

  void add(RunData run, Yardstick yardstick, String source) {
    Map<String, Latency> latencies = new LinkedHashMap<>();
    RunSettings known = RunSettings.of(run);
    PointBuilder point = point(place(run, known, yardstick));
    LatencyDistribution all = LatencyDistribution.NONE;
    for (TypeData type : run.types()) {
      all = type.result().counted() ? all.plus(type.due()) : all;
      addLatency(point, latencies, type.name(), type.due(), type.result().latencyMillis());
    }
    addLatency(point, latencies, ComparedPoint.ALL_TYPES, all, run.result().latencyMillis());
    point.runs.add(
        new Measurement(
            source,
            run.result(),
            latencies,
            run.certainty().parts(),
            Observed.of(run),
            RunFault.of(run)));
    addSettings(known, yardstick);
  }

  private static void addLatency(
      PointBuilder point,
      Map<String, Latency> latencies,
      String type,
      LatencyDistribution distribution,
      Latencies measured) {
    measured.of(Scope.ALL, LatencyKind.DUE).ifPresent(known -> latencies.put(type, known));
    if (distribution.count() > 0) {
      latencies.computeIfAbsent(type, unknown -> distribution.figures());
      point.distributions.merge(type, distribution, LatencyDistribution::plus);
    }
  }

  /** A published row. */
  void add(Place place, Measurement measurement) {
    point(place).runs.add(measurement);
  }

  void addSettings(RunSettings known, Yardstick yardstick) {
    RunConditions.of(known.effective(), yardstick)
        .forEach((condition, text) -> add(conditions, condition, text));
    known.all().forEach((setting, text) -> add(settings, setting, text));
  }

  private static void add(Map<String, Set<String>> map, String key, String text) {
    Set<String> texts = map.computeIfAbsent(key, unused -> new LinkedHashSet<>());
    if (!text.isEmpty()) {
      texts.add(text);
    }
  }

  /** Takes over what another one has of the same system. */
  void addAll(SystemBuilder other) {
    other.points.forEach(
        (place, others) -> {
          PointBuilder own = point(place);
          own.runs.addAll(others.runs);
          others.distributions.forEach(
              (type, distribution) ->
                  own.distributions.merge(type, distribution, LatencyDistribution::plus));
        });
    addAll(conditions, other.conditions);
    addAll(settings, other.settings);
  }

  private static void addAll(Map<String, Set<String>> own, Map<String, Set<String>> others) {
    others.forEach(
        (key, texts) -> own.computeIfAbsent(key, unused -> new LinkedHashSet<>()).addAll(texts));
  }

  boolean isPublished() {
    return publication.isPresent();
  }

  Set<Place> places() {
    return points.keySet();
  }

  ComparedSystem build(String name) {
    List<ComparedPoint> built = new ArrayList<>();
    points.forEach((place, point) -> built.add(point.build(place)));
    return new ComparedSystem(name, publication.orElse(null), built, conditions, settings);
  }
}
