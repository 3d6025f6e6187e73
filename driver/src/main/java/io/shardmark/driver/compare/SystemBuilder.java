package io.shardmark.driver.compare;

import io.shardmark.driver.compare.ComparedSystem.Publication;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.reader.LatencyDistribution;
import io.shardmark.driver.results.reader.LatencyDistribution.CurvePoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Brings the runs of a system together. Of each run only its figures are kept; histograms are added
 * up by place and type, so that memory grows with the places and not with the runs.
 */
final class SystemBuilder {
  /** Null of result directories. */
  private final @Nullable Publication publication;

  private final List<Measurement> runs = new ArrayList<>();
  private final Map<Place, Map<String, LatencyDistribution>> distributions = new LinkedHashMap<>();

  SystemBuilder(@Nullable Publication publication) {
    this.publication = publication;
  }

  void add(Measurement run, Map<String, LatencyDistribution> latencies) {
    runs.add(run);
    add(run.place(), latencies);
  }

  private void add(Place place, Map<String, LatencyDistribution> latencies) {
    Map<String, LatencyDistribution> all =
        distributions.computeIfAbsent(place, key -> new LinkedHashMap<>());
    latencies.forEach((type, one) -> all.merge(type, one, LatencyDistribution::plus));
  }

  void addAll(SystemBuilder other) {
    runs.addAll(other.runs);
    other.distributions.forEach(this::add);
  }

  boolean isPublished() {
    return publication != null;
  }

  List<Measurement> runs() {
    return runs;
  }

  Set<Place> places() {
    return distributions.keySet();
  }

  ComparedSystem build(String name) {
    List<ComparedPoint> points = new ArrayList<>();
    runs.stream()
        .collect(Collectors.groupingBy(Measurement::place, TreeMap::new, Collectors.toList()))
        .forEach((place, here) -> points.add(point(place, here)));
    return new ComparedSystem(
        name,
        publication,
        points,
        texts(Measurement::conditions),
        texts(run -> run.settings().all()));
  }

  private ComparedPoint point(Place place, List<Measurement> here) {
    Map<String, Latency> latencies = new TreeMap<>();
    Map<String, List<CurvePoint>> curves = new LinkedHashMap<>();
    distributions
        .getOrDefault(place, Map.of())
        .forEach(
            (type, distribution) -> {
              latencies.put(type, distribution.figures());
              curves.put(type, distribution.curve());
            });
    // One run's own figures are exact where its histogram is cut.
    if (here.size() == 1) {
      latencies.putAll(here.get(0).latencies());
    }
    return new ComparedPoint(place, here, latencies, curves);
  }

  /** The texts that the runs have under each name; none where nobody said. */
  private Map<String, Set<String>> texts(Function<Measurement, Map<String, String>> of) {
    Map<String, Set<String>> all = new LinkedHashMap<>();
    for (Measurement run : runs) {
      of.apply(run)
          .forEach(
              (name, text) -> {
                Set<String> texts = all.computeIfAbsent(name, key -> new LinkedHashSet<>());
                if (!text.isEmpty()) {
                  texts.add(text);
                }
              });
    }
    return all;
  }
}
