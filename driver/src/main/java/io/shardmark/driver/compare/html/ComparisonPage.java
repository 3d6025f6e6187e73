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

/** The whole page: its head, then one section after the other. */
final class ComparisonPage {
  private static final int MOST_FIGURES = 4;
  private static final List<LatencyFigure> SHOWN = List.of(LatencyFigure.P90, LatencyFigure.P99);

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
    ComparisonCharts charts = new ComparisonCharts(comparison);
    boolean several = comparison.systems().size() > 1;
    List<Section> sections = new ArrayList<>();
    List<Block> throughput = blocks(tables.throughput());
    throughput.add(charts.throughput());
    sections.add(new Section("throughput", "Throughput", texts.throughputNote(), throughput));
    if (several) {
      sections.add(ratios(charts));
    }
    sections.add(latencies(charts));
    charts.overTime().ifPresent(sections::add);
    if (!tables.observed().rows().isEmpty()) {
      sections.add(
          new Section(
              "observed",
              "Operating system and database",
              "What limited each run, and means over the runs of a system.",
              blocks(List.of(tables.bottlenecks(), tables.observed()))));
    }
    sections.add(new Section("runs", "Runs", "", blocks(List.of(tables.runs()))));
    List<Block> settings = blocks(List.of(tables.conditions()));
    if (several) {
      boolean differ = !comparison.differences().isEmpty();
      settings.add(
          Block.note(differ ? "Other settings that differ:" : "No other setting differs."));
      settings.addAll(blocks(List.of(tables.differences())));
    }
    sections.add(new Section("settings", "Settings", "Passwords are masked.", settings));
    if (!comparison.missing().isEmpty()) {
      sections.add(
          new Section(
              "missing", "Not in this comparison", "", List.of(Block.list(comparison.missing()))));
    }
    return sections;
  }

  /** Those that have rows. */
  private static List<Block> blocks(List<Table> tables) {
    return new ArrayList<>(
        tables.stream().filter(table -> !table.rows().isEmpty()).map(Block::of).toList());
  }

  private Section ratios(ComparisonCharts charts) {
    List<Block> blocks = new ArrayList<>();
    if (comparison.ratios().isEmpty()) {
      blocks.add(Block.note("The systems share no point."));
    } else {
      if (comparison.overall().stream().anyMatch(overall -> overall.points() > 1)) {
        blocks.add(Block.of(tables.overall()));
      }
      charts.ratios().ifPresent(blocks::add);
      blocks.add(Block.of(tables.ratios()));
      texts.methods().forEach(text -> blocks.add(Block.note(text)));
    }
    return new Section("ratios", "Ratio to " + comparison.baseline().label(), "", blocks);
  }

  private Section latencies(ComparisonCharts charts) {
    List<Block> blocks = blocks(yardstick.tabled().stream().map(tables::latencies).toList());
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
}
