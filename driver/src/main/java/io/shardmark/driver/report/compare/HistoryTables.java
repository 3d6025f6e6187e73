package io.shardmark.driver.report.compare;

import io.shardmark.driver.report.compare.History.Point;
import io.shardmark.driver.report.compare.History.Run;
import io.shardmark.driver.report.compare.History.Series;
import io.shardmark.driver.report.compare.TextTable.Kind;
import io.shardmark.driver.report.html.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of a history. */
public final class HistoryTables {
  private HistoryTables() {}

  /** The runs of a series, the latest first. */
  public static TextTable runs(Yardstick yardstick, Series series) {
    TextTable.Builder table =
        TextTable.named(
                "Runs, the latest first; percentiles of %s in ms".formatted(yardstick.counted()))
            .columns(Kind.TEXT, "Start")
            .columns(Kind.NUMBER, heads(yardstick, names(yardstick.kept())))
            .columns(Kind.PROSE, "Left its band", "Faults")
            .columns(Kind.TEXT, "Directory");
    for (int i = series.runs().size() - 1; i >= 0; i--) {
      Run run = series.runs().get(i);
      List<String> cells = new ArrayList<>(List.of(run.minute()));
      for (Metric metric : yardstick.kept()) {
        cells.add(run.of(metric).map(point -> Texts.three(point.value())).orElse(Texts.NONE));
      }
      cells.add(or(heads(yardstick, run.left())));
      cells.add(or(run.faults()));
      cells.add(run.source());
      table.row(cells);
    }
    return table.withoutEmptyColumns().build();
  }

  /** Which type the percentiles are of stands above the table. */
  private static List<String> heads(Yardstick yardstick, List<String> names) {
    return names.stream().map(name -> name.replace(" " + yardstick.type(), "")).toList();
  }

  private static List<String> names(List<Metric> metrics) {
    return metrics.stream().map(Metric::name).toList();
  }

  private static String or(List<String> texts) {
    return texts.isEmpty() ? Texts.NONE : String.join("; ", texts);
  }

  /** {@code tpmC 11,200.00 below 12,000.00 – 12,400.00}. */
  private static String left(String name, Point point) {
    String band =
        point
            .usual()
            .map(known -> Texts.three(known.low()) + " – " + Texts.three(known.high()))
            .orElse("");
    String side = point.side() == Band.Side.BELOW ? " below " : " above ";
    return name + " " + Texts.three(point.value()) + side + band;
  }

  /** What left its band in the latest run of a series: a sentence, or that nothing did. */
  public static String latest(Series series) {
    Run latest = series.runs().get(series.runs().size() - 1);
    if (latest.left().isEmpty()) {
      boolean judged =
          latest.points().values().stream().anyMatch(point -> point.usual().isPresent());
      return judged
          ? "The latest run, of %s, is inside of all bands.".formatted(latest.minute())
          : "Too few runs to say what is usual: %d, a band needs %d before it."
              .formatted(series.runs().size(), Band.LEAST_RUNS);
    }
    return "The latest run, of %s: %s."
        .formatted(
            latest.minute(),
            latest.left().stream()
                .flatMap(
                    name ->
                        Stream.ofNullable(latest.points().get(name))
                            .map(point -> left(name, point)))
                .collect(Collectors.joining("; ")));
  }
}
