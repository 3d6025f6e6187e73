package io.shardmark.driver.compare;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.guarantees.Guarantees;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.estimate.Interval;
import io.shardmark.driver.results.estimate.LogEstimate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Systems that are compared. The first one is the baseline.
 *
 * @param systems at least one, in the order in which they were named
 * @param ratios of each further system to the baseline, place by place
 * @param overall of each further system that shares a place with the baseline
 * @param flags what makes the systems unlike or a run doubtful
 * @param alike conditions that are known of all systems and the same
 * @param notes what a reader should know and is no fault
 * @param differences settings whose values differ
 * @param tables of published figures that own runs have a place in
 * @param groups systems that these tables compare with each other and with no other one, the
 *     baseline of each group first; none if every system is compared with the first
 */
@JsonPropertyOrder({"title", "baseline", "confidence", "judgedBy", "guarantees"})
public record Comparison(
    String title,
    @JsonProperty("judgedBy") Yardstick yardstick,
    List<ComparedSystem> systems,
    List<PointRatio> ratios,
    List<OverallRatio> overall,
    List<Flag> flags,
    List<String> alike,
    List<String> notes,
    List<Difference> differences,
    List<String> missing,
    List<PublishedTable> tables,
    @JsonIgnore List<List<ComparedSystem>> groups) {

  /**
   * Reads what was named and lays it side by side.
   *
   * @throws io.shardmark.config.ConfigException if something named is no result, if there are not
   *     two things to compare, or if unlike runs were given one name and have one place
   * @throws IOException if a directory that was named itself cannot be read
   */
  public static Comparison read(List<CompareArgument> arguments, Choices choices)
      throws IOException {
    SystemReader reader = new SystemReader();
    List<ComparedSystem> systems = reader.read(arguments);
    SystemReader.requireSeveral(arguments, systems);
    SystemReader.requireAlike(systems);
    List<PublishedTable> tables = new ArrayList<>();
    List<String> missing = new ArrayList<>(reader.missing());
    for (PublishedTable table : reader.tables()) {
      PublishedTable filled = table.with(systems, reader.yardstick());
      if (filled.isHere()) {
        tables.add(filled);
      } else {
        missing.add(
            "%s: %s: no system here is called as its columns: %s, NAME=DIR"
                .formatted(
                    table.source().title(),
                    table.title(),
                    String.join(
                        ", ",
                        table.columns().stream().map(one -> one.here()).distinct().toList())));
      }
    }
    // A publication whose table is compared with own figures is no system as well.
    List<ComparedSystem> named =
        systems.stream()
            .filter(one -> tables.stream().noneMatch(t -> t.source().equals(one.publication())))
            .toList();
    return of(choices, reader.yardstick(), named, missing, tables);
  }

  private static Comparison of(
      Choices choices,
      Yardstick yardstick,
      List<ComparedSystem> named,
      List<String> missing,
      List<PublishedTable> tables) {
    List<ComparedSystem> systems = withFirst(choices.baseline(), named);
    ComparedSystem baseline = systems.get(0);
    RatioArithmetic arithmetic = new RatioArithmetic(baseline, yardstick);
    List<PointRatio> ratios = new ArrayList<>();
    List<OverallRatio> overall = new ArrayList<>();
    List<List<ComparedSystem>> groups = groups(systems, yardstick, tables);
    for (ComparedSystem system :
        groups.isEmpty() ? systems.subList(1, systems.size()) : List.<ComparedSystem>of()) {
      List<PointRatio> points = arithmetic.points(system);
      ratios.addAll(points);
      if (points.stream().allMatch(PointRatio::isLike)) {
        arithmetic.overall(system, points).ifPresent(overall::add);
      }
    }
    FlagFinder finder =
        groups.isEmpty() ? FlagFinder.of(systems, ratios) : FlagFinder.ofGroups(systems, groups);
    return new Comparison(
        choices
            .title()
            .orElseGet(() -> tables.isEmpty() ? title(systems) : tables.get(0).source().title()),
        yardstick,
        systems,
        ratios,
        overall,
        finder.flags,
        finder.alike,
        finder.notes,
        finder.differences,
        missing,
        tables,
        groups);
  }

  private static List<List<ComparedSystem>> groups(
      List<ComparedSystem> systems, Yardstick yardstick, List<PublishedTable> tables) {
    List<List<ComparedSystem>> groups =
        tables.stream()
            .flatMap(table -> table.groups(systems, yardstick).stream())
            .distinct()
            .toList();
    return groups.stream().flatMap(List::stream).toList().containsAll(systems) ? groups : List.of();
  }

  /**
   * Whether all systems have their places in tables of a source: they are compared there and with
   * no system of another column, so that there is no baseline of all.
   */
  public boolean isInTables() {
    return !groups.isEmpty();
  }

  /**
   * The last own row of each column over the baseline row, as published and here: a sentence each,
   * with what chance may explain. Of several tables each sentence names its own.
   */
  public List<String> resultsOfTables() {
    return tables.stream()
        .flatMap(
            table ->
                results(table).stream()
                    .map(one -> tables.size() == 1 ? one : table.title() + ": " + one))
        .toList();
  }

  private List<String> results(PublishedTable table) {
    List<String> results = new ArrayList<>(table.findings());
    int first = table.rows().indexOf(table.baseline());
    for (PublishedTable.PublishedColumn column :
        first < 0 ? List.<PublishedTable.PublishedColumn>of() : table.columns()) {
      for (int row = table.rows().size() - 1; row > first; row--) {
        Optional<ComparedPoint> own = point(column, table.rows().get(row));
        Optional<ComparedPoint> other = point(column, table.baseline());
        if (own.isPresent() && other.isPresent()) {
          results.add(result(table, column, row, own.get(), other.get()));
          break;
        }
      }
    }
    return results;
  }

  private Optional<ComparedPoint> point(PublishedTable.PublishedColumn column, String row) {
    return systems.stream()
        .flatMap(one -> PublishedTable.point(column, row, one, yardstick).stream())
        .findFirst();
  }

  private String result(
      PublishedTable table,
      PublishedTable.PublishedColumn column,
      int row,
      ComparedPoint own,
      ComparedPoint other) {
    int first = table.rows().indexOf(table.baseline());
    double published = column.published().get(row) / column.published().get(first);
    Optional<Interval> interval =
        yardstick.metrics().stream()
            .filter(metric -> metric.name().equals(column.metric()))
            .findFirst()
            .flatMap(metric -> RatioArithmetic.ratio(metric, own, other))
            .flatMap(Ratio::interval);
    return "%s, %s over %s: %s%s (here%s)."
        .formatted(
            column.name(),
            table.rows().get(row),
            table.baseline(),
            Double.isFinite(published) ? Texts.text("%.2f (published), ", published) : "",
            Texts.text("%.2f", column.own().get(row) / column.own().get(first)),
            interval
                .map(
                    one ->
                        Texts.text("; 95 %%: %.2f to %.2f", one.low(), one.high())
                            + (one.low() <= 1 && one.high() >= 1 ? ", no more than chance" : ""))
                .orElse("; no interval"));
  }

  /** In what guarantees differ of systems that are compared with each other: a sentence each. */
  public List<String> unequalGuarantees() {
    return (isInTables() ? groups : List.of(systems))
        .stream()
            .flatMap(
                group ->
                    group.stream()
                        .skip(1)
                        .flatMap(one -> unequalGuarantees(one, group.get(0)).stream()))
            .distinct()
            .toList();
  }

  private static List<ComparedSystem> withFirst(
      Optional<String> baseline, List<ComparedSystem> systems) {
    String first = baseline.orElse(systems.get(0).name());
    if (systems.stream().noneMatch(system -> system.name().equals(first))) {
      throw new ConfigException(
          "--baseline %s: there is no such system, expected one of: %s"
              .formatted(
                  first,
                  systems.stream().map(ComparedSystem::name).collect(Collectors.joining(", "))));
    }
    return systems.stream()
        .sorted(Comparator.comparing(system -> !system.name().equals(first))) // true comes last
        .toList();
  }

  private static String title(List<ComparedSystem> systems) {
    String baseline = systems.get(0).name();
    return systems.size() == 1
        ? baseline
        : systems.stream().skip(1).map(ComparedSystem::name).collect(Collectors.joining(", "))
            + " against "
            + baseline;
  }

  /**
   * What a user may choose.
   *
   * @param title empty for the systems' names
   * @param baseline empty for the first system
   */
  public record Choices(Optional<String> title, Optional<String> baseline) {
    public static final Choices NONE = new Choices(Optional.empty(), Optional.empty());
  }

  /** Curves over terminals for each scale stay legible up to so many scales. */
  private static final int MOST_SCALES = 4;

  /** Whether places are shown in one row, because hardly two have the same scale. */
  public boolean hasManyScales() {
    return systems.stream().flatMap(system -> system.scales().stream()).distinct().count()
        > MOST_SCALES;
  }

  /**
   * In what a system's guarantees differ from the baseline's, or those of its runs from each other:
   * a sentence each.
   */
  public List<String> unequalGuarantees(ComparedSystem system) {
    return unequalGuarantees(system, baseline());
  }

  private static List<String> unequalGuarantees(ComparedSystem system, ComparedSystem baseline) {
    List<String> sentences = new ArrayList<>();
    List<Guarantees> own = system.guarantees();
    for (Guarantees one : own.subList(0, Math.min(1, own.size()))) {
      own.forEach(
          other ->
              sentences.addAll(one.differences("a run", other, "another run of " + system.name())));
    }
    for (Guarantees one : own) {
      for (Guarantees other : baseline.guarantees()) {
        sentences.addAll(one.differences(system.label(), other, baseline.label()));
      }
    }
    return sentences.stream().distinct().toList();
  }

  /** Whether all systems promise their transactions as much as the baseline. */
  public Guarantees.Equality guarantees() {
    List<Guarantees> all = systems.stream().flatMap(one -> one.guarantees().stream()).toList();
    if (all.isEmpty() || systems.stream().anyMatch(ComparedSystem::isPublished)) {
      return Guarantees.Equality.NOT_KNOWN;
    }
    Set<Guarantees.Equality> found =
        all.stream().map(one -> one.compared(all.get(0))).collect(Collectors.toSet());
    return Stream.of(Guarantees.Equality.NOT_EQUAL, Guarantees.Equality.NOT_KNOWN)
        .filter(found::contains)
        .findFirst()
        .orElse(Guarantees.Equality.EQUAL);
  }

  public ComparedSystem baseline() {
    return systems.get(0);
  }

  @JsonProperty("guarantees")
  String wordOfGuarantees() {
    return guarantees().key();
  }

  @JsonProperty("baseline")
  String nameOfBaseline() {
    return baseline().name();
  }

  @JsonProperty
  double confidence() {
    return LogEstimate.CONFIDENCE;
  }

  /**
   * One system over the baseline at one place.
   *
   * @param baseline its place; not the system's only where a flag says so
   * @param ratios by name of the figure; those that can be computed
   */
  public record PointRatio(
      String system,
      @JsonIgnore Place place,
      @JsonProperty("baselinePlace") Place baseline,
      Map<String, Ratio> ratios) {
    @JsonAnyGetter
    Map<String, Integer> members() {
      return place.members();
    }

    /** Whether both sides have the same scale and as many terminals. */
    public boolean isLike() {
      return place.equals(baseline);
    }

    public Optional<Ratio> of(ComparedFigure metric) {
      return Optional.ofNullable(ratios.get(metric.name()));
    }
  }

  /**
   * The geometric mean of a system's ratios over the places that it shares with the baseline.
   * Without such a place the two cannot be compared, and there is no mean.
   *
   * @param points places that are shared
   * @param pointsOf of these, where both know the figure, by its name
   */
  public record OverallRatio(
      String system, int points, Map<String, Integer> pointsOf, Map<String, Ratio> ratios) {
    /** {@code geometric mean of 2 points}, {@code at one point}, {@code at one of 2 points}. */
    public String basis(ComparedFigure metric) {
      int known = pointsOf.getOrDefault(metric.name(), 0);
      if (known == 1) {
        return points == 1 ? "at one point" : "at one of %d points".formatted(points);
      }
      return "geometric mean of %s%d points"
          .formatted(known == points ? "" : known + " of ", points);
    }

    public Optional<Ratio> of(ComparedFigure metric) {
      return Optional.ofNullable(ratios.get(metric.name()));
    }
  }

  /** Something that makes the comparison doubtful: what is unlike, with the values. */
  public record Flag(String subject, String sentence) {}

  /** A setting with unlike values by system; empty where it is not set or not known. */
  public record Difference(String setting, Map<String, String> values) {}
}
