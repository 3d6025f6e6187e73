package io.shardmark.driver.report.compare.html;

import io.shardmark.driver.report.compare.ComparedPoint;
import io.shardmark.driver.report.compare.ComparedSystem;
import io.shardmark.driver.report.compare.Comparison;
import io.shardmark.driver.report.compare.Comparison.Flag;
import io.shardmark.driver.report.compare.Comparison.OverallRatio;
import io.shardmark.driver.report.compare.ComparisonTables;
import io.shardmark.driver.report.compare.ComparisonTexts;
import io.shardmark.driver.report.compare.Metric;
import io.shardmark.driver.report.compare.Metric.Percentile;
import io.shardmark.driver.report.compare.Ratio;
import io.shardmark.driver.report.compare.TextTable;
import io.shardmark.driver.report.compare.Yardstick;
import io.shardmark.driver.report.html.Page;
import io.shardmark.driver.report.html.Page.Block;
import io.shardmark.driver.report.html.Page.Figure;
import io.shardmark.driver.report.html.Page.Grade;
import io.shardmark.driver.report.html.Page.Section;
import io.shardmark.driver.report.html.Page.Verdict;
import io.shardmark.driver.report.html.TableBuilder;
import io.shardmark.driver.report.html.Texts;
import io.shardmark.driver.results.Latency;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The whole page: its head, then one section after the other. */
final class ComparisonPage {
  private static final int MOST_FIGURES = 4;
  private static final List<String> SHOWN = List.of("p90", "p99");

  private final Comparison comparison;
  private final Yardstick yardstick;
  private final ComparisonTables tables;
  private final ComparisonTexts texts;

  ComparisonPage(Comparison comparison) {
    this.comparison = comparison;
    yardstick = comparison.yardstick();
    tables = new ComparisonTables(comparison);
    texts = new ComparisonTexts(comparison);
  }

  Page build() {
    return new Page(
        comparison.title(),
        "Comparison",
        comparison.title(),
        texts.extent(),
        figures(),
        List.of(),
        verdicts(),
        texts.publications(),
        sections(),
        "Written by Shardmark from the result directories under Runs.");
  }

  private List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    for (ComparedSystem system : comparison.systems()) {
      if (figures.size() < MOST_FIGURES) {
        best(system).ifPresent(point -> figures.add(best(system, point)));
      }
    }
    for (OverallRatio overall : comparison.overall()) {
      for (Metric metric : List.of(yardstick.main(), yardstick.percentile("p99"))) {
        if (figures.size() < 2 * MOST_FIGURES) {
          overall.of(metric).ifPresent(ratio -> figures.add(figure(overall, metric, ratio)));
        }
      }
    }
    return figures;
  }

  private Optional<ComparedPoint> best(ComparedSystem system) {
    Metric main = yardstick.main();
    Comparator<ComparedPoint> order = Comparator.comparingDouble(point -> point.mean(main));
    return system.points().stream().max(main.higherIsBetter() ? order : order.reversed());
  }

  private Figure best(ComparedSystem system, ComparedPoint point) {
    return Figure.of(
        "best " + yardstick.main().name() + " of " + system.label(),
        Texts.three(point.mean(yardstick.main())),
        "",
        "with "
            + point.place().text()
            + point.latency(yardstick.type()).map(this::percentiles).orElse(""));
  }

  /** As many as are known. */
  private String percentiles(Latency figures) {
    List<String> texts = new ArrayList<>();
    for (Percentile percentile : Metric.PERCENTILES) {
      double millis = percentile.of(figures);
      if (SHOWN.contains(percentile.name()) && !Double.isNaN(millis)) {
        texts.add(percentile.name() + " " + Texts.latency(millis));
      }
    }
    return texts.isEmpty() ? "" : "; " + yardstick.typeWords() + " " + String.join(", ", texts);
  }

  private Figure figure(OverallRatio overall, Metric metric, Ratio ratio) {
    String interval =
        ratio
            .interval()
            .map(i -> String.format(Locale.ROOT, "95 %% %.3f – %.3f, ", i.low(), i.high()))
            .orElse("");
    return Figure.of(
        yardstick.words(metric)
            + " of "
            + overall.system()
            + " over "
            + comparison.baseline().name(),
        String.format(Locale.ROOT, "%.3f", ratio.value()),
        "",
        interval
            + (overall.points() == 1
                ? "at one point"
                : "geometric mean of %d points".formatted(overall.points())));
  }

  /** What is unlike comes in red, before any figure is read. */
  private List<Verdict> verdicts() {
    List<Verdict> verdicts = new ArrayList<>();
    texts
        .headlines()
        .forEach(
            one ->
                verdicts.add(
                    Verdict.of(
                        one.comparable() ? Grade.RESULT : Grade.UNKNOWN,
                        "Result",
                        one.sentence())));
    for (Flag flag : comparison.flags()) {
      verdicts.add(Verdict.of(Grade.FAIL, flag.subject(), flag.sentence()));
    }
    texts.soundRuns().ifPresent(sentence -> verdicts.add(Verdict.of(Grade.PASS, "Runs", sentence)));
    if (!comparison.alike().isEmpty() && comparison.systems().size() > 1) {
      verdicts.add(Verdict.of(Grade.PASS, "Alike", String.join(", ", comparison.alike())));
    }
    for (String note : comparison.notes()) {
      verdicts.add(Verdict.of(Grade.UNKNOWN, "Note", note));
    }
    return verdicts;
  }

  private List<Section> sections() {
    ComparisonCharts charts = new ComparisonCharts(comparison);
    List<Section> sections = new ArrayList<>();
    sections.add(throughput(charts));
    if (comparison.systems().size() > 1) {
      sections.add(ratios(charts));
    }
    sections.add(latencies(charts));
    charts.overTime().ifPresent(sections::add);
    observed().ifPresent(sections::add);
    sections.add(new Section("runs", "Runs", "", List.of(Block.of(table(tables.runs())))));
    sections.add(settings());
    if (!comparison.missing().isEmpty()) {
      sections.add(
          new Section(
              "missing", "Not in this comparison", "", List.of(Block.list(comparison.missing()))));
    }
    return sections;
  }

  private Section throughput(ComparisonCharts charts) {
    List<Block> blocks = new ArrayList<>();
    tables.throughput().forEach(table -> blocks.add(Block.of(table(table))));
    blocks.add(charts.throughput());
    return new Section("throughput", "Throughput", texts.throughputNote(), blocks);
  }

  private Section ratios(ComparisonCharts charts) {
    List<Block> blocks = new ArrayList<>();
    if (comparison.ratios().isEmpty()) {
      blocks.add(Block.note("The systems share no point."));
    } else {
      if (comparison.overall().stream().anyMatch(overall -> overall.points() > 1)) {
        blocks.add(Block.of(table(tables.overall())));
      }
      charts.ratios().ifPresent(blocks::add);
      blocks.add(Block.of(table(tables.ratios())));
      texts.methods().forEach(text -> blocks.add(Block.note(text)));
    }
    return new Section("ratios", "Ratio to " + comparison.baseline().label(), "", blocks);
  }

  private Section latencies(ComparisonCharts charts) {
    List<Block> blocks = new ArrayList<>();
    for (String type : yardstick.tabled()) {
      TextTable table = tables.latencies(type);
      if (!table.rows().isEmpty()) {
        blocks.add(Block.of(table(table)));
      }
    }
    charts.percentiles().ifPresent(blocks::add);
    charts.curves().ifPresent(blocks::add);
    if (blocks.isEmpty()) {
      blocks.add(Block.note("There are no latencies."));
    }
    return new Section(
        "latency",
        "Response times",
        "From when a transaction was due to its last byte, of successful transactions, in ms. Of"
            + " several runs at a point the histograms are added.",
        blocks);
  }

  private Optional<Section> observed() {
    TextTable figures = tables.observed();
    TextTable bottlenecks = tables.bottlenecks();
    if (figures.rows().isEmpty()) {
      return Optional.empty();
    }
    List<Block> blocks = new ArrayList<>();
    if (!bottlenecks.rows().isEmpty()) {
      blocks.add(Block.of(table(bottlenecks)));
    }
    blocks.add(Block.of(table(figures)));
    return Optional.of(
        new Section(
            "observed",
            "Operating system and database",
            "What limited each run, and means over the runs of a system.",
            blocks));
  }

  private Section settings() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(Block.of(table(tables.conditions())));
    if (comparison.systems().size() > 1) {
      if (comparison.differences().isEmpty()) {
        blocks.add(Block.note("No other setting differs."));
      } else {
        blocks.add(Block.note("Other settings that differ:"));
        blocks.add(Block.of(table(tables.differences())));
      }
    }
    return new Section("settings", "Settings", "Passwords are masked.", blocks);
  }

  /** As the page shows it. */
  static Page.Table table(TextTable text) {
    TableBuilder table = new TableBuilder(text.caption());
    for (TextTable.Column column : text.columns()) {
      switch (column.kind()) {
        case TEXT -> table.text(column.name());
        case NUMBER -> table.number(column.name());
        case PROSE -> table.prose(column.name());
      }
    }
    text.rows().forEach(row -> table.row(row.toArray(String[]::new)));
    return table.build();
  }
}
