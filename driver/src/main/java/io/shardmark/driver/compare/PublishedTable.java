package io.shardmark.driver.compare;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import io.shardmark.driver.compare.ComparedSystem.Publication;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.Texts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table as a source printed it, with the figures of own runs in it. It has an axis and a baseline
 * that need not be those of any other table: a column over another one, each column over one of its
 * rows, or both.
 *
 * @param axis what the rows are, as the head of the first column
 * @param columns with a value for each row; NaN where there is none
 * @param over the names of two columns, the second being the baseline of the first; or empty
 * @param baseline the row that the others are multiples of; empty if there is none
 * @param notes what the source says of its table
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PublishedTable(
    Publication source,
    String title,
    String axis,
    List<String> rows,
    List<PublishedColumn> columns,
    List<String> over,
    String baseline,
    List<String> notes) {
  private static final String PERCENT = "%";

  /**
   * One column.
   *
   * @param metric of own runs: a metric of the benchmark, a percentile of all types such as {@code
   *     p95}, or a figure of operating system and database. With a percent sign after it: in
   *     percent of the baseline row
   * @param here the own system; with rows that are not terminals, what its name begins with
   */
  public record PublishedColumn(
      String name, String metric, String here, List<Double> published, List<Double> own) {
    /** What is not known is null: JSON has no NaN. */
    @JsonValue
    Map<String, Object> members() {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("name", name);
      members.put("metric", metric);
      members.put("here", here);
      members.put("published", known(published));
      members.put("own", known(own));
      return members;
    }

    private static List<@Nullable Double> known(List<Double> values) {
      List<@Nullable Double> known = new ArrayList<>();
      values.forEach(value -> known.add(Double.isFinite(value) ? value : null));
      return known;
    }

    public boolean isHere() {
      return own.stream().anyMatch(Double::isFinite);
    }
  }

  /** A figure of each row for the two sides that are compared: what was published, and here. */
  public record Derived(String name, List<Double> published, List<Double> own) {}

  /** The same with what own systems measured. */
  PublishedTable with(List<ComparedSystem> own, Yardstick yardstick) {
    List<PublishedColumn> filled =
        columns.stream()
            .map(
                one ->
                    new PublishedColumn(
                        one.name, one.metric, one.here, one.published, values(one, own, yardstick)))
            .toList();
    return new PublishedTable(source, title, axis, rows, filled, over, baseline, notes);
  }

  private List<Double> values(
      PublishedColumn column, List<ComparedSystem> own, Yardstick yardstick) {
    List<Double> values = rows.stream().map(row -> value(column, row, own, yardstick)).toList();
    return column.metric.endsWith(PERCENT)
        ? multiples(values, rows.indexOf(baseline)).stream().map(one -> one * 100).toList()
        : values;
  }

  public boolean isHere() {
    return columns.stream().anyMatch(PublishedColumn::isHere);
  }

  private static double value(
      PublishedColumn column, String row, List<ComparedSystem> own, Yardstick yardstick) {
    return own.stream()
        .flatMap(system -> point(column, row, system, yardstick).stream())
        .findFirst()
        .map(point -> value(column.metric.replace(PERCENT, ""), point))
        .orElse(Double.NaN);
  }

  /**
   * Of the system that the column names, at as many terminals as the row says; or the best point of
   * a system that is called as the column and the row.
   */
  static Optional<ComparedPoint> point(
      PublishedColumn column, String row, ComparedSystem system, Yardstick yardstick) {
    boolean ofRow = isOfRow(system.name(), column.here, row);
    return system.isPublished() || !(ofRow || system.name().equals(column.here))
        ? Optional.empty()
        : system.points().stream()
            .filter(one -> ofRow || one.place().terminalsText().replace(",", "").equals(row))
            .max(Comparator.comparingDouble(one -> one.mean(yardstick.main())));
  }

  /**
   * The own systems that the table compares with each other, the baseline of each group first: both
   * columns if one is over the other, else those of each column.
   */
  List<List<ComparedSystem>> groups(List<ComparedSystem> own, Yardstick yardstick) {
    List<List<PublishedColumn>> together = new ArrayList<>();
    if (!over.isEmpty()) {
      together.add(List.of(column(over.get(1)), column(over.get(0))));
    }
    columns.stream()
        .filter(column -> !over.contains(column.name()))
        .forEach(column -> together.add(List.of(column)));
    return together.stream()
        .map(
            of ->
                of.stream()
                    .flatMap(column -> systems(column, own, yardstick).stream())
                    .distinct()
                    .toList())
        .filter(group -> !group.isEmpty())
        .distinct()
        .toList();
  }

  private List<ComparedSystem> systems(
      PublishedColumn column, List<ComparedSystem> own, Yardstick yardstick) {
    return rows.stream()
        .sorted(Comparator.comparing(row -> !row.equals(baseline))) // true comes last
        .flatMap(row -> own.stream().filter(one -> point(column, row, one, yardstick).isPresent()))
        .distinct()
        .toList();
  }

  /** {@code nodes/4} and {@code nodes · mine-shards-4} are of row 4 of the column of nodes. */
  private static boolean isOfRow(String name, String here, String row) {
    return name.startsWith(here)
        && name.length() > here.length()
        && (name.endsWith("/" + row) || name.endsWith("-" + row));
  }

  /** A metric of the point's own runs: those of another point may lack it. */
  private static double value(String metric, ComparedPoint point) {
    if (point.has(metric)) {
      return point.mean(run -> run.value(metric));
    }
    for (LatencyFigure figure : LatencyFigure.values()) {
      if (figure.text().equals(metric)) {
        return point.mean(ComparedFigure.latency(ComparedPoint.ALL_TYPES, figure));
      }
    }
    return point.runs().stream()
        .mapToDouble(run -> run.observed().figures().getOrDefault(metric, Double.NaN))
        .average()
        .orElse(Double.NaN);
  }

  /** The ratios of the table: column over column, and each column over its baseline row. */
  public List<Derived> ratios() {
    List<Derived> ratios = new ArrayList<>();
    if (!over.isEmpty()) {
      PublishedColumn above = column(over.get(0));
      PublishedColumn below = column(over.get(1));
      ratios.add(
          new Derived(
              above.name + " over " + below.name,
              quotients(above.published, below.published),
              quotients(above.own, below.own)));
    }
    int first = rows.indexOf(baseline);
    for (PublishedColumn column : first < 0 ? List.<PublishedColumn>of() : columns) {
      ratios.add(
          new Derived(
              column.name + " over " + baseline,
              multiples(column.published, first),
              multiples(column.own, first)));
    }
    return ratios;
  }

  /** What the figures say of the source's claims: how the two columns compare, where each falls. */
  public List<String> findings() {
    if (over.isEmpty()) {
      return List.of();
    }
    List<String> findings = new ArrayList<>();
    Derived ratio = ratios().get(0);
    findings.add("%s: %s.".formatted(ratio.name, sides(span(ratio.published), span(ratio.own))));
    for (PublishedColumn column : List.of(column(over.get(0)), column(over.get(1)))) {
      String sides = sides(decline(column.published), decline(column.own));
      findings.add("%s is greatest %s.".formatted(column.name, sides));
    }
    findings.removeIf(one -> one.endsWith(" .")); // of neither side anything is known
    return findings;
  }

  private static String sides(String publishedText, String ownText) {
    List<String> sides = new ArrayList<>();
    if (!publishedText.isEmpty()) {
      sides.add(publishedText + " (published)");
    }
    if (!ownText.isEmpty()) {
      sides.add(ownText + " (here)");
    }
    return String.join(", ", sides);
  }

  /** From the least to the greatest, and the geometric mean; empty if none is known. */
  private static String span(List<Double> values) {
    DoubleSummaryStatistics known =
        values.stream().filter(Double::isFinite).mapToDouble(one -> one).summaryStatistics();
    double logarithms =
        values.stream().filter(Double::isFinite).mapToDouble(Math::log).average().orElse(0);
    return known.getCount() == 0
        ? ""
        : Texts.text(
            "%.2f to %.2f, in the mean %.2f", known.getMin(), known.getMax(), Math.exp(logarithms));
  }

  /** The row of the greatest, and whether those after it are less; empty if fewer than two are. */
  private String decline(List<Double> values) {
    List<Integer> known =
        IntStream.range(0, rows.size())
            .filter(i -> Double.isFinite(values.get(i)))
            .boxed()
            .toList();
    if (known.size() < 2) {
      return "";
    }
    String most = rowOfMost(values).orElseThrow();
    boolean last = most.equals(rows.get(known.get(known.size() - 1)));
    return "at %s and %s".formatted(most, last ? "has not declined" : "declines above");
  }

  private PublishedColumn column(String name) {
    return columns.stream().filter(one -> one.name.equals(name)).findFirst().orElseThrow();
  }

  private static List<Double> quotients(List<Double> above, List<Double> below) {
    return IntStream.range(0, above.size()).mapToObj(i -> above.get(i) / below.get(i)).toList();
  }

  private static List<Double> multiples(List<Double> values, int first) {
    return values.stream().map(value -> value / values.get(first)).toList();
  }

  /** The indices of the rows in which any column has a figure. */
  public List<Integer> rowsWithFigures() {
    return IntStream.range(0, rows.size())
        .filter(
            i ->
                columns.stream()
                    .anyMatch(
                        one ->
                            Double.isFinite(one.published.get(i))
                                || Double.isFinite(one.own.get(i))))
        .boxed()
        .toList();
  }

  /** The row with the greatest value; empty if no value is known. */
  public Optional<String> rowOfMost(List<Double> values) {
    return IntStream.range(0, rows.size())
        .filter(i -> Double.isFinite(values.get(i)))
        .boxed()
        .max(Comparator.comparingDouble(values::get))
        .map(rows::get);
  }
}
