package io.shardmark.driver.compare.html;

import io.shardmark.driver.compare.ComparedPoint;
import io.shardmark.driver.compare.ComparedSystem;
import io.shardmark.driver.compare.Comparison;
import io.shardmark.driver.compare.Comparison.OverallRatio;
import io.shardmark.driver.compare.Metric;
import io.shardmark.driver.compare.Ratio;
import io.shardmark.driver.compare.Yardstick;
import io.shardmark.driver.report.Page;
import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Figure;
import io.shardmark.driver.report.Page.Items;
import io.shardmark.driver.report.Page.Note;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.Texts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The whole page: its head, then one section after the other. */
final class ComparisonPage {
  private static final int MOST_FIGURES = 4;
  private static final List<LatencyFigure> SHOWN = List.of(LatencyFigure.P90, LatencyFigure.P99);

  private final Comparison comparison;
  private final Yardstick yardstick;
  private final ComparisonTables tables;
  private final ComparisonTexts texts;
  private final ComparisonCharts charts;

  ComparisonPage(Comparison comparison) {
    this.comparison = comparison;
    yardstick = comparison.yardstick();
    tables = new ComparisonTables(comparison);
    texts = new ComparisonTexts(comparison);
    charts = new ComparisonCharts(comparison);
  }

  Page build() {
    return new Page(
        comparison.title(),
        "Comparison",
        comparison.title(),
        texts.extent(),
        figures(),
        List.of(),
        texts.verdicts(),
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
      for (Metric metric : List.of(yardstick.main(), yardstick.percentile(LatencyFigure.P99))) {
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
    String texts =
        SHOWN.stream()
            .filter(one -> !Double.isNaN(one.of(figures)))
            .map(one -> one.text() + " " + Texts.latency(one.of(figures)))
            .collect(Collectors.joining(", "));
    return texts.isEmpty() ? "" : "; " + yardstick.typeWords() + " " + texts;
  }

  private Figure figure(OverallRatio overall, Metric metric, Ratio ratio) {
    String interval =
        ratio
            .interval()
            .map(i -> String.format(Locale.ROOT, "95 %% %.3f – %.3f, ", i.low(), i.high()))
            .orElse("");
    return Figure.of(
        "%s of %s over %s"
            .formatted(yardstick.words(metric), overall.system(), comparison.baseline().name()),
        String.format(Locale.ROOT, "%.3f", ratio.value()),
        "",
        interval
            + (overall.points() == 1
                ? "at one point"
                : "geometric mean of %d points".formatted(overall.points())));
  }

  private List<Section> sections() {
    boolean several = comparison.systems().size() > 1;
    List<Section> sections = new ArrayList<>();
    List<Block> throughput = new ArrayList<>(tables.throughput());
    throughput.add(charts.throughput());
    sections.add(new Section("throughput", "Throughput", texts.throughputNote(), throughput));
    if (several) {
      sections.add(ratios());
    }
    sections.add(latencies());
    sections.add(charts.overTime());
    Table observed = tables.observed();
    if (!observed.isEmpty()) {
      sections.add(
          new Section(
              "observed",
              "Operating system and database",
              "What limited each run, and means over the runs of a system.",
              List.of(tables.bottlenecks(), observed)));
    }
    sections.add(new Section("runs", "Runs", "", List.of(tables.runs())));
    List<Block> settings = new ArrayList<>(List.of(tables.conditions()));
    if (several) {
      boolean differ = !comparison.differences().isEmpty();
      settings.add(new Note(differ ? "Other settings that differ:" : "No other setting differs."));
      settings.add(tables.differences());
    }
    sections.add(new Section("settings", "Settings", "Passwords are masked.", settings));
    sections.add(
        new Section(
            "missing", "Not in this comparison", "", List.of(new Items(comparison.missing()))));
    return sections;
  }

  private Section ratios() {
    List<Block> blocks = new ArrayList<>();
    if (comparison.ratios().isEmpty()) {
      blocks.add(new Note("The systems share no point."));
    } else {
      if (comparison.overall().stream().anyMatch(overall -> overall.points() > 1)) {
        blocks.add(tables.overall());
      }
      blocks.add(charts.ratios());
      blocks.add(tables.ratios());
      texts.methods().forEach(text -> blocks.add(new Note(text)));
    }
    return new Section("ratios", "Ratio to " + comparison.baseline().label(), "", blocks);
  }

  private Section latencies() {
    List<Block> blocks =
        Stream.<Block>concat(
                yardstick.tabled().stream().map(tables::latencies),
                Stream.of(charts.percentiles(), charts.curves()))
            .filter(block -> !block.isEmpty())
            .toList();
    return new Section(
        "latency",
        "Response times",
        "From when a transaction was due to its last byte, of successful transactions, in ms. Of"
            + " several runs at a point the histograms are added.",
        blocks.isEmpty() ? List.of(new Note("There are no latencies.")) : blocks);
  }
}
