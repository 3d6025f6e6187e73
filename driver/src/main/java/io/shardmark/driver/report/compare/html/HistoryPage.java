package io.shardmark.driver.report.compare.html;

import io.shardmark.driver.report.compare.Band;
import io.shardmark.driver.report.compare.History;
import io.shardmark.driver.report.compare.History.Point;
import io.shardmark.driver.report.compare.History.Run;
import io.shardmark.driver.report.compare.History.Series;
import io.shardmark.driver.report.compare.HistoryTables;
import io.shardmark.driver.report.compare.Metric;
import io.shardmark.driver.report.html.ChartData;
import io.shardmark.driver.report.html.Page;
import io.shardmark.driver.report.html.Page.Block;
import io.shardmark.driver.report.html.Page.Figure;
import io.shardmark.driver.report.html.Page.Grade;
import io.shardmark.driver.report.html.Page.Section;
import io.shardmark.driver.report.html.Page.Verdict;
import io.shardmark.driver.report.html.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The page of a job's history: a chart and a table for each series. */
final class HistoryPage {
  private final History history;

  HistoryPage(History history) {
    this.history = history;
  }

  Page build() {
    return new Page(
        history.title(),
        "History",
        history.title(),
        "%s in %s, %s left a band"
            .formatted(
                Texts.plural(history.runs(), "run", "runs"),
                Texts.plural(history.series().size(), "series", "series"),
                Texts.count(history.left())),
        figures(),
        List.of(),
        verdicts(),
        List.of(),
        sections(),
        "Written by Shardmark from the result directories in the tables.");
  }

  private List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    for (Series series : history.series()) {
      Run latest = latest(series);
      latest
          .of(main())
          .ifPresent(
              point ->
                  figures.add(
                      Figure.of(
                          "latest " + main().name() + " of " + series.name(),
                          Texts.three(point.value()),
                          "",
                          point
                              .usual()
                              .map(
                                  band ->
                                      "usual: "
                                          + Texts.three(band.low())
                                          + " – "
                                          + Texts.three(band.high()))
                              .orElse("no band yet"))));
    }
    return figures;
  }

  private Metric main() {
    return history.judgedBy().main();
  }

  private static Run latest(Series series) {
    return series.runs().get(series.runs().size() - 1);
  }

  private List<Verdict> verdicts() {
    return history.series().stream()
        .map(
            series ->
                Verdict.of(grade(latest(series)), series.name(), HistoryTables.latest(series)))
        .toList();
  }

  /** What is better than usual is no failure, but something to look at. */
  private Grade grade(Run run) {
    if (run.points().values().stream().noneMatch(point -> point.usual().isPresent())) {
      return Grade.UNKNOWN;
    }
    boolean worse = history.judgedBy().kept().stream().anyMatch(metric -> isWorse(metric, run));
    return worse ? Grade.FAIL : run.left().isEmpty() ? Grade.PASS : Grade.UNKNOWN;
  }

  private static boolean isWorse(Metric metric, Run run) {
    Band.Side worse = metric.higherIsBetter() ? Band.Side.BELOW : Band.Side.ABOVE;
    return run.of(metric).filter(point -> point.side() == worse).isPresent();
  }

  private List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    for (Series series : history.series()) {
      String id = "series-" + (sections.size() + 1);
      sections.add(
          new Section(
              id,
              series.name(),
              "",
              List.of(
                  Block.of(chart("chart-" + id, series)),
                  Block.of(ComparisonPage.table(HistoryTables.runs(history.judgedBy(), series))))));
    }
    if (!history.missing().isEmpty()) {
      sections.add(
          new Section(
              "missing", "Not in this history", "", List.of(Block.list(history.missing()))));
    }
    return sections;
  }

  private Page.Chart chart(String id, Series series) {
    List<String> steps = series.runs().stream().map(Run::minute).toList();
    ChartData chart = ChartData.lines("", "start", steps).history();
    for (Metric metric : history.judgedBy().kept()) {
      if (series.runs().stream().anyMatch(run -> run.of(metric).isPresent())) {
        chart.view(metric.name());
        chart.line(
            "s0",
            metric.name(),
            new ChartData.Line(
                values(series, metric, Point::value),
                values(series, metric, point -> point.usual().map(Band::low).orElse(Double.NaN)),
                values(series, metric, point -> point.usual().map(Band::high).orElse(Double.NaN)),
                List.of()),
            false);
        chart.marked(marked(series, metric));
      }
    }
    return chart.build(
        id,
        "Over time",
        "",
        "The band is what the runs before made usual: their median, and four of their usual"
            + " spreads to both sides. Ringed points left it.");
  }

  private static List<Double> values(Series series, Metric metric, ToDoubleFunction<Point> value) {
    return series.runs().stream()
        .map(run -> run.of(metric).map(value::applyAsDouble).orElse(Double.NaN))
        .toList();
  }

  private static List<Integer> marked(Series series, Metric metric) {
    List<Integer> marked = new ArrayList<>();
    for (int i = 0; i < series.runs().size(); i++) {
      if (series.runs().get(i).left().contains(metric.name())) {
        marked.add(i);
      }
    }
    return marked;
  }
}
