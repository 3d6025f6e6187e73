package io.shardmark.driver.compare;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a job that is repeated, such as every night, in the order in which they were made:
 * what was usual, and what left it. Only runs of one system at one place, under the same
 * conditions, are in one series.
 *
 * @param judgedBy what the runs are judged by; its {@link Yardstick#kept()} are what is looked at
 * @param series at least one, each with at least two runs
 * @param missing runs that are in no series, and why
 * @param lacking files that runs of the series do not have
 */
public record History(
    String title,
    Yardstick judgedBy,
    List<Series> series,
    List<String> missing,
    List<String> lacking) {
  /** Runs that can be compared, at least two, in order of time. */
  public record Series(String system, Place place, List<Run> runs) {
    /** {@code postgres at 50 warehouses, 20 terminals}. */
    public String name() {
      return system + " at " + place.text();
    }
  }

  /**
   * One run.
   *
   * @param source its directory
   * @param faults what makes it a run to be careful with, in words
   * @param points by the name of the figure; those that are known
   */
  public record Run(
      String source, String start, List<String> faults, Map<String, HistoryPoint> points) {
    public Optional<HistoryPoint> of(ComparedFigure metric) {
      return Optional.ofNullable(points.get(metric.name()));
    }

    /** When it began, without the seconds that nobody looks for. */
    public String minute() {
      return start.length() > 16 ? start.substring(0, 16).replace('T', ' ') : start;
    }

    /** The names of the figures that left their bands. */
    public List<String> left() {
      return points.entrySet().stream()
          .filter(entry -> entry.getValue().side() != Band.BandSide.INSIDE)
          .map(Map.Entry::getKey)
          .toList();
    }
  }

  /**
   * A figure of a run.
   *
   * @param band by the runs before it; null for the first ones
   */
  public record HistoryPoint(double value, @Nullable Band band) {
    /** Of the band; inside where there is none. */
    @JsonProperty
    public Band.BandSide side() {
      return usual().map(known -> known.side(value)).orElse(Band.BandSide.INSIDE);
    }

    /** What was usual, if there were enough runs before. */
    public Optional<Band> usual() {
      return Optional.ofNullable(band);
    }
  }

  /**
   * Reads what was named and puts it in order.
   *
   * @param title empty for the systems' names
   * @throws ConfigException if something named is no result, or if no two runs can be compared
   * @throws IOException if a directory that was named itself cannot be read
   */
  public static History read(List<CompareArgument> arguments, Optional<String> title)
      throws IOException {
    SystemReader reader = new SystemReader();
    List<ComparedSystem> systems = reader.read(arguments);
    List<String> missing = new ArrayList<>(reader.leftOut());
    List<Series> series = new ArrayList<>();
    for (ComparedSystem system : systems) {
      for (ComparedPoint point : system.points()) {
        Map<String, List<Measurement>> alike =
            alike(system.name(), inOrder(system, point, missing));
        alike.forEach(
            (name, runs) -> {
              if (runs.size() > 1) {
                series.add(new Series(name, point.place(), runs(reader.yardstick().kept(), runs)));
              } else {
                runs.forEach(
                    run -> missing.add(run.source() + ": no other run is like it; left out."));
              }
            });
      }
    }
    if (series.isEmpty()) {
      throw new ConfigException(
          "--history: no two runs are of the same system, place and settings; expected the"
              + " directories of a job that was repeated");
    }
    return new History(
        title.orElseGet(
            () ->
                series.stream()
                    .map(Series::system)
                    .distinct()
                    .collect(Collectors.joining(", ", "History of ", ""))),
        reader.yardstick(),
        series,
        missing,
        reader.lacking());
  }

  /** The runs that were measured under like conditions, by the name of what they measured. */
  private static Map<String, List<Measurement>> alike(String system, List<Measurement> runs) {
    Map<SystemKey, List<Measurement>> alike =
        runs.stream()
            .collect(Collectors.groupingBy(SystemKey::of, LinkedHashMap::new, Collectors.toList()));
    Map<SystemKey, String> names = SystemKey.names(alike.keySet());
    Map<String, List<Measurement>> named = new LinkedHashMap<>();
    alike.forEach(
        (key, like) ->
            named.put(alike.size() == 1 ? system : system + " · " + names.get(key), like));
    return named;
  }

  private static List<Measurement> inOrder(
      ComparedSystem system, ComparedPoint point, List<String> missing) {
    if (system.isPublished()) {
      missing.add(system.label() + ": published figures have no history; left out.");
      return List.of();
    }
    point.runs().stream()
        .filter(run -> run.result().run().begun().isEmpty())
        .forEach(run -> missing.add(run.source() + ": does not say when it began; left out."));
    return point.runs().stream()
        .filter(run -> run.result().run().begun().isPresent())
        .sorted(Comparator.comparing(run -> run.result().run().begun().orElseThrow()))
        .toList();
  }

  private static List<Run> runs(List<ComparedFigure> metrics, List<Measurement> measurements) {
    Map<String, List<Double>> before = new HashMap<>();
    List<Run> runs = new ArrayList<>();
    for (Measurement measurement : measurements) {
      Map<String, HistoryPoint> points = new LinkedHashMap<>();
      for (ComparedFigure metric : metrics) {
        double value = metric.of(measurement);
        if (Double.isFinite(value)) {
          List<Double> values = before.computeIfAbsent(metric.name(), key -> new ArrayList<>());
          points.put(metric.name(), new HistoryPoint(value, Band.after(values).orElse(null)));
          values.add(value);
        }
      }
      runs.add(
          new Run(
              measurement.source(),
              measurement.start(),
              measurement.faults().stream()
                  .map(fault -> fault.kind().subject() + ": " + fault.detail())
                  .toList(),
              points));
    }
    return runs;
  }

  public long left() {
    return series.stream()
        .flatMap(one -> one.runs().stream())
        .filter(run -> !run.left().isEmpty())
        .count();
  }

  public int runs() {
    return series.stream().mapToInt(one -> one.runs().size()).sum();
  }
}
