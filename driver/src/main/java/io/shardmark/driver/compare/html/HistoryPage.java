package io.shardmark.driver.compare.html;

import io.shardmark.driver.compare.Band;
import io.shardmark.driver.compare.Band.BandSide;
import io.shardmark.driver.compare.ComparedFigure;
import io.shardmark.driver.compare.History;
import io.shardmark.driver.compare.History.Run;
import io.shardmark.driver.compare.History.Series;
import io.shardmark.driver.judge.Limits;
import io.shardmark.driver.report.ChartData;
import io.shardmark.driver.report.Columns;
import io.shardmark.driver.report.Page;
import io.shardmark.driver.report.Page.Items;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.Texts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The page of a job's history: a chart and a table for each series. */
record HistoryPage(History history) {
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

  private List<Page.PageFigure> figures() {
    return history.series().stream()
        .flatMap(one -> latest(one).of(main()).stream().map(point -> figure(one, point)))
        .toList();
  }

  private Page.PageFigure figure(Series series, History.HistoryPoint point) {
    return Page.PageFigure.of(
        "latest " + main().name() + " of " + series.name(),
        main().text(point.value()),
        point
            .usual()
            .map(band -> "usual: " + main().text(band.low()) + " – " + main().text(band.high()))
            .orElse("no band yet"));
  }

  private ComparedFigure main() {
    return history.judgedBy().main();
  }

  private static Run latest(Series series) {
    return series.runs().get(series.runs().size() - 1);
  }

  private List<Page.PageVerdict> verdicts() {
    return history.series().stream()
        .map(series -> new Page.PageVerdict(grade(latest(series)), series.name(), sentence(series)))
        .toList();
  }

  /** What is better than usual is no failure, but something to look at. */
  private Page.PageGrade grade(Run run) {
    if (run.points().values().stream().noneMatch(point -> point.usual().isPresent())) {
      return Page.PageGrade.UNKNOWN;
    }
    return isWorse(run)
        ? Page.PageGrade.FAIL
        : run.left().isEmpty() ? Page.PageGrade.PASS : Page.PageGrade.UNKNOWN;
  }

  /** Whether the latest run of the series left a band to the worse side. */
  boolean isWorse(Series series) {
    return isWorse(latest(series));
  }

  private boolean isWorse(Run run) {
    return history.judgedBy().kept().stream().anyMatch(metric -> isWorse(metric, run));
  }

  private static boolean isWorse(ComparedFigure metric, Run run) {
    BandSide worse = metric.higherIsBetter() ? BandSide.BELOW : BandSide.ABOVE;
    return run.of(metric).filter(point -> point.side() == worse).isPresent();
  }

  /** What left its band in the latest run of a series, or that nothing did. */
  String sentence(Series series) {
    Run latest = latest(series);
    if (!latest.left().isEmpty()) {
      return history.judgedBy().kept().stream()
          .filter(metric -> latest.left().contains(metric.name()))
          .map(metric -> left(metric, latest.of(metric).orElseThrow()))
          .collect(Collectors.joining("; ", "The latest run, of " + latest.minute() + ": ", "."));
    }
    return latest.points().values().stream().anyMatch(point -> point.usual().isPresent())
        ? "The latest run, of %s, is inside of all bands.".formatted(latest.minute())
        : "Too few runs to say what is usual: %d, a band needs %d before it."
            .formatted(series.runs().size(), Limits.FEWEST_USUAL_RUNS);
  }

  /** {@code tps 888, 25 % below usual (1,176 – 1,200)}. */
  private String left(ComparedFigure metric, History.HistoryPoint point) {
    Band band = point.usual().orElseThrow();
    return "%s %s, %s %s usual (%s – %s)"
        .formatted(
            history.judgedBy().words(metric),
            metric.text(point.value()),
            Texts.percent(Math.abs(band.distance(point.value()))),
            point.side() == BandSide.BELOW ? "below" : "above",
            metric.text(band.low()),
            metric.text(band.high()));
  }

  /** The runs of a series, the latest first. */
  private Table runs(Series series) {
    Columns<Run> columns = new Columns<Run>().text("Start", Run::minute);
    for (ComparedFigure metric : history.judgedBy().kept()) {
      columns.number(
          head(metric.name()),
          run -> run.of(metric).map(point -> Texts.three(point.value())).orElse(Texts.NONE));
    }
    List<Run> latestFirst = new ArrayList<>(series.runs());
    Collections.reverse(latestFirst);
    return columns
        .prose("Left its band", run -> joined(run.left().stream().map(this::head).toList()))
        .prose(
            "Faults",
            run -> joined(run.faults().stream().map(f -> f.replaceFirst(":.*", "")).toList()))
        .text("Directory", Run::source)
        .knownOnly(
            "Runs, the latest first; percentiles of %s in ms"
                .formatted(history.judgedBy().counted()),
            latestFirst);
  }

  /** The type of the percentiles is in the caption of the table. */
  private String head(String metric) {
    return metric.replace(" " + history.judgedBy().type(), "");
  }

  private static String joined(List<String> texts) {
    return texts.isEmpty() ? Texts.NONE : String.join("; ", texts);
  }

  private List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    for (Series series : history.series()) {
      String id = "series-" + (sections.size() + 1);
      sections.add(
          new Section(id, series.name(), "", List.of(chart("chart-" + id, series), runs(series))));
    }
    sections.add(
        new Section("missing", "Not in this history", "", List.of(new Items(history.missing()))));
    sections.add(
        new Section("lacking", "What runs lack", "", List.of(new Items(history.lacking()))));
    return sections;
  }

  private Page.Chart chart(String id, Series series) {
    List<String> steps = series.runs().stream().map(Run::minute).toList();
    ChartData chart = ChartData.lines("", "start", steps).history();
    for (ComparedFigure metric : history.judgedBy().kept()) {
      if (series.runs().stream().anyMatch(run -> run.of(metric).isPresent())) {
        chart.view(metric.name());
        chart.line(
            "s0",
            metric.name(),
            new ChartData.ChartLine(
                values(series, metric, History.HistoryPoint::value),
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

  private static List<Double> values(
      Series series, ComparedFigure metric, ToDoubleFunction<History.HistoryPoint> value) {
    return series.runs().stream()
        .map(run -> run.of(metric).map(value::applyAsDouble).orElse(Double.NaN))
        .toList();
  }

  private static List<Integer> marked(Series series, ComparedFigure metric) {
    return IntStream.range(0, series.runs().size())
        .filter(i -> series.runs().get(i).left().contains(metric.name()))
        .boxed()
        .toList();
  }
}
