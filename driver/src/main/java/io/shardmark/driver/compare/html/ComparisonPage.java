package io.shardmark.driver.compare.html;

import static java.util.stream.Collectors.joining;

import io.shardmark.driver.compare.ComparedEvent;
import io.shardmark.driver.compare.ComparedFigure;
import io.shardmark.driver.compare.ComparedPoint;
import io.shardmark.driver.compare.ComparedSystem;
import io.shardmark.driver.compare.ComparedSystem.Publication;
import io.shardmark.driver.compare.Comparison;
import io.shardmark.driver.compare.Comparison.OverallRatio;
import io.shardmark.driver.compare.Comparison.PointRatio;
import io.shardmark.driver.compare.Measurement;
import io.shardmark.driver.compare.PublishedTable;
import io.shardmark.driver.compare.Ratio;
import io.shardmark.driver.compare.Yardstick;
import io.shardmark.driver.report.AdversitySection;
import io.shardmark.driver.report.Page;
import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Items;
import io.shardmark.driver.report.Page.PageGrade;
import io.shardmark.driver.report.Page.PageVerdict;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.estimate.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The whole page: its head, then one section after the other. */
final class ComparisonPage {
  private static final String NOT_EQUAL = "Not equal";
  private static final int MOST_FIGURES = 4;
  private static final List<LatencyFigure> SHOWN = List.of(LatencyFigure.P90, LatencyFigure.P99);

  private final Comparison comparison;
  private final Yardstick yardstick;
  private final ComparisonTables tables;
  private final ComparisonCharts charts;

  ComparisonPage(Comparison comparison) {
    this.comparison = comparison;
    yardstick = comparison.yardstick();
    tables = new ComparisonTables(comparison);
    charts = new ComparisonCharts(comparison);
  }

  Page build() {
    return new Page(
        comparison.title(),
        "Comparison",
        comparison.title(),
        extent(),
        figures(),
        List.of(),
        verdicts(),
        publications(),
        sections(),
        "Written by Shardmark from the result directories under Runs.");
  }

  private List<Page.PageFigure> figures() {
    List<Page.PageFigure> figures = new ArrayList<>();
    if (comparison.isInTables()) {
      return figures;
    }
    for (ComparedSystem system : comparison.systems()) {
      if (figures.size() < MOST_FIGURES) {
        best(system).ifPresent(point -> figures.add(best(system, point)));
      }
    }
    for (OverallRatio overall : comparison.overall()) {
      for (ComparedFigure metric :
          List.of(yardstick.main(), yardstick.percentile(LatencyFigure.P99))) {
        if (figures.size() < 2 * MOST_FIGURES) {
          overall.of(metric).ifPresent(ratio -> figures.add(figure(overall, metric, ratio)));
        }
      }
    }
    return figures;
  }

  private Optional<ComparedPoint> best(ComparedSystem system) {
    ComparedFigure main = yardstick.main();
    Comparator<ComparedPoint> order = Comparator.comparingDouble(point -> point.mean(main));
    return system.points().stream().max(main.higherIsBetter() ? order : order.reversed());
  }

  private Page.PageFigure best(ComparedSystem system, ComparedPoint point) {
    return Page.PageFigure.of(
        "best " + yardstick.main().name() + " of " + system.label(),
        yardstick.main().text(point.mean(yardstick.main())),
        "with "
            + point.place().text()
            + point.latency(yardstick.type()).map(this::percentiles).orElse(""));
  }

  private String percentiles(Latency figures) {
    String texts =
        SHOWN.stream()
            .filter(one -> !Double.isNaN(one.of(figures)))
            .map(one -> one.text() + " " + one.withUnit(figures))
            .collect(Collectors.joining(", "));
    return texts.isEmpty() ? "" : "; " + yardstick.typeWords() + " " + texts;
  }

  private Page.PageFigure figure(OverallRatio overall, ComparedFigure metric, Ratio ratio) {
    String interval =
        ratio.interval().map(i -> Texts.text("95 %% %.3f – %.3f, ", i.low(), i.high())).orElse("");
    boolean unequal =
        comparison.systems().stream()
            .filter(one -> one.name().equals(overall.system()))
            .anyMatch(one -> !comparison.unequalGuarantees(one).isEmpty());
    return Page.PageFigure.of(
        "%s%s of %s over %s"
            .formatted(
                unequal ? NOT_EQUAL.toLowerCase(Locale.ROOT) + ": " : "",
                yardstick.words(metric),
                overall.system(),
                comparison.baseline().name()),
        Texts.text("%.3f", ratio.value()),
        "",
        interval + overall.basis(metric));
  }

  private List<Section> sections() {
    boolean several = comparison.systems().size() > 1;
    boolean differ = !comparison.differences().isEmpty();
    List<Block> settings =
        several
            ? List.of(
                tables.conditions(),
                new Page.PageNote(
                    differ ? "Other settings that differ:" : "No other setting differs."),
                tables.differences())
            : List.of(tables.conditions());
    List<Section> sections = new ArrayList<>(published());
    if (!comparison.isInTables()) {
      sections.add(new Section("throughput", "Throughput", throughputNote(), throughput()));
      sections.add(several ? ratios() : Section.NONE);
    }
    sections.addAll(
        List.of(
            new Section(
                "guarantees",
                "Guarantees",
                "What a committed transaction survives, and which anomalies may occur, by the"
                    + " settings that were read when each run began.",
                List.copyOf(tables.guarantees())),
            new Section(
                "costs",
                "What it costs",
                "In brackets the 95 % interval, that of the rate inverted.",
                List.of(tables.costs())),
            latencies(),
            events(),
            charts.overTime(),
            new Section(
                "observed",
                "Operating system and database",
                "What limited each run, and means over the runs of a system.",
                List.of(tables.bottlenecks(), tables.observed())),
            new Section("runs", "Runs", "", List.of(tables.runs())),
            new Section("settings", "Settings", "Passwords are masked.", settings),
            new Section(
                "missing",
                "Not in this comparison",
                "",
                List.of(new Items(comparison.missing())))));
    return sections;
  }

  private List<Section> published() {
    List<PublishedTable> all = comparison.tables();
    return IntStream.range(0, all.size())
        .mapToObj(i -> new PublishedSection(all.get(i), i + 1).section())
        .toList();
  }

  private List<Block> throughput() {
    List<Block> blocks = new ArrayList<>(tables.throughput());
    blocks.add(charts.throughput());
    return blocks;
  }

  private Section ratios() {
    List<Block> blocks = new ArrayList<>();
    if (comparison.ratios().isEmpty()) {
      blocks.add(new Page.PageNote("The systems share no point."));
    } else {
      if (comparison.overall().stream().anyMatch(overall -> overall.points() > 1)) {
        blocks.add(tables.overall());
      }
      blocks.add(charts.ratios());
      blocks.add(tables.ratios());
      methods().forEach(text -> blocks.add(new Page.PageNote(text)));
    }
    return new Section("ratios", "Ratio to " + comparison.baseline().label(), "", blocks);
  }

  private Section events() {
    List<ComparedEvent> events = ComparedEvent.of(comparison.systems());
    return new Section(
        "adversity",
        "Adversity",
        "How each system took what was done to it, in the mean of its runs.",
        events.isEmpty() ? List.of() : List.of(tables.events(events), AdversitySection.FIGURES));
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
        blocks.isEmpty() ? List.of(new Page.PageNote("There are no latencies.")) : blocks);
  }

  String extent() {
    List<ComparedSystem> systems = comparison.systems();
    long runs = systems.stream().mapToLong(ComparedSystem::runs).sum();
    boolean published = systems.stream().anyMatch(ComparedSystem::isPublished);
    return Texts.plural(systems.size(), "system", "systems")
        + ", "
        + (published
            ? Texts.plural(runs, "run or published row", "runs or published rows")
            : Texts.plural(runs, "run", "runs"))
        + (systems.size() > 1 && !comparison.isInTables()
            ? "; ratios are to " + comparison.baseline().label()
            : "");
  }

  /** What came out, then what is unlike or doubtful, then what is not. */
  List<PageVerdict> verdicts() {
    List<PageVerdict> verdicts = new ArrayList<>();
    if (comparison.isInTables()) {
      unequal(comparison.unequalGuarantees()).ifPresent(verdicts::add);
      comparison
          .resultsOfTables()
          .forEach(sentence -> verdicts.add(PageGrade.RESULT.on("Result", sentence)));
    } else {
      for (ComparedSystem system : comparison.systems().subList(1, comparison.systems().size())) {
        unequal(comparison.unequalGuarantees(system)).ifPresent(verdicts::add);
        headline(system).ifPresent(verdicts::add);
      }
    }
    comparison
        .flags()
        .forEach(flag -> verdicts.add(PageGrade.FAIL.on(flag.subject(), flag.sentence())));
    soundRuns().ifPresent(sentence -> verdicts.add(PageGrade.PASS.on("Runs", sentence)));
    if (!comparison.alike().isEmpty() && comparison.systems().size() > 1) {
      verdicts.add(PageGrade.PASS.on("Alike", String.join(", ", comparison.alike())));
    }
    comparison.notes().forEach(note -> verdicts.add(PageGrade.UNKNOWN.on("Note", note)));
    return verdicts;
  }

  /** That a ratio is one of unlike guarantees: before the ratio, so that nobody reads past it. */
  private static Optional<PageVerdict> unequal(List<String> sentences) {
    return sentences.isEmpty()
        ? Optional.empty()
        : Optional.of(
            PageGrade.FAIL.on(NOT_EQUAL, Texts.upperFirst(String.join(". ", sentences)) + "."));
  }

  /** The main metric of a system compared with the baseline's. */
  private Optional<PageVerdict> headline(ComparedSystem system) {
    String baseline = comparison.baseline().label();
    List<PointRatio> points =
        comparison.ratios().stream().filter(one -> one.system().equals(system.name())).toList();
    Optional<PointRatio> unlike = points.stream().filter(one -> !one.isLike()).findFirst();
    if (unlike.isPresent() || points.isEmpty()) {
      String why =
          unlike
              .map(one -> one.place().text() + " against " + one.baseline().text())
              .orElse("they share no number of %s and terminals".formatted(yardstick.scale()));
      return Optional.of(
          PageGrade.UNKNOWN.on(
              "Result",
              "%s and %s are not comparable: %s.".formatted(system.label(), baseline, why)));
    }
    return comparison.overall().stream()
        .filter(one -> one.system().equals(system.name()))
        .findFirst()
        .flatMap(one -> one.of(yardstick.main()))
        .map(ratio -> headline(system.label(), baseline, ratio, points.size()))
        .map(sentence -> PageGrade.RESULT.on("Result", sentence));
  }

  private String headline(String system, String baseline, Ratio ratio, int points) {
    String mean = points == 1 ? "" : ", geometric mean of %d points".formatted(points);
    String value = Texts.text("%s ratio %.3f", yardstick.main().name(), ratio.value());
    String makes =
        "%s makes %s %s than %s"
            .formatted(system, more(ratio.value()), yardstick.counted(), baseline);
    if (ratio.interval().isEmpty()) {
      return "%s (%s%s; no interval: %s).".formatted(makes, value, mean, ratio.reason());
    }
    Interval interval = ratio.interval().get();
    String figures =
        Texts.text("%s, 95 %%: %.3f to %.3f%s", value, interval.low(), interval.high(), mean);
    return interval.low() <= 1 && interval.high() >= 1
        ? "%s and %s do not differ beyond chance (%s).".formatted(system, baseline, figures)
        : "%s (%s).".formatted(makes, figures);
  }

  private static String more(double ratio) {
    return ratio >= 1 ? Texts.percent(ratio - 1) + " more" : Texts.percent(1 - ratio) + " fewer";
  }

  /** That nothing is wrong with any run that was measured; empty if that is not known. */
  private Optional<String> soundRuns() {
    List<Measurement> measured =
        comparison.systems().stream()
            .filter(system -> !system.isPublished())
            .flatMap(system -> system.measurements().stream())
            .toList();
    if (measured.isEmpty()
        || measured.stream().anyMatch(run -> !run.isJudged() || !run.faults().isEmpty())) {
      return Optional.empty();
    }
    return Optional.of(
        (measured.size() == 1 ? "The one run" : "All " + Texts.count(measured.size()) + " runs")
            + " came to the end, with no failed transaction"
            + (measured.stream().anyMatch(run -> run.result().limited())
                ? " and within the response-time limits"
                : "")
            + "; the load generator was not the bottleneck.");
  }

  /** What a cell of the throughput tables is. */
  String throughputNote() {
    boolean repeated =
        comparison.systems().stream()
            .flatMap(system -> system.points().stream())
            .anyMatch(point -> point.runs().size() > 1);
    return Texts.upperFirst(yardstick.unitWords())
        + ", failed transactions left out."
        + (repeated ? " Where a point has several runs, their mean." : "");
  }

  List<String> methods() {
    List<Ratio> ratios =
        comparison.ratios().stream().flatMap(one -> one.of(yardstick.main()).stream()).toList();
    Set<Ratio.Basis> bases = ratios.stream().map(Ratio::basis).collect(Collectors.toSet());
    String reasons =
        ratios.stream()
            .map(Ratio::reason)
            .filter(reason -> !reason.isEmpty())
            .distinct()
            .collect(joining("; "));
    List<String> texts = new ArrayList<>();
    texts.add(
        "A ratio is a system's figure over that of "
            + comparison.baseline().label()
            + ": above 1 is more transactions, or longer response times."
            + (bases.equals(Set.of(Ratio.Basis.NONE)) ? "" : " In brackets: 95 % intervals."));
    if (bases.contains(Ratio.Basis.REPETITIONS)) {
      texts.add(
          "95 % intervals from repeated runs: Student's t with Welch's degrees of freedom on the"
              + " logarithms of the runs' figures.");
    }
    if (bases.contains(Ratio.Basis.PARTS)) {
      texts.add(
          "95 % intervals from parts within the runs (batch means, Welch), because there are not"
              + " two runs on each side. Parts that are alike are put together, and what they"
              + " still have in common widens the interval. They show how steady the runs were and"
              + " understate how far another run would differ.");
    }
    if (!reasons.isEmpty()) {
      texts.add("No interval where: " + reasons + ".");
    }
    return texts;
  }

  List<String> publications() {
    return Stream.concat(
            comparison.tables().stream().map(PublishedTable::source),
            comparison.systems().stream()
                .flatMap(system -> Stream.ofNullable(system.publication())))
        .distinct()
        .map(this::text)
        .toList();
  }

  private String text(Publication publication) {
    String names =
        comparison.systems().stream()
            .filter(system -> publication.equals(system.publication()))
            .map(ComparedSystem::name)
            .collect(joining(", "));
    String address = publication.address().isEmpty() ? "" : ", " + publication.address();
    String remark = publication.remark().isEmpty() ? "" : " " + publication.remark();
    return "%s: published figures, not measured by us. Source: %s, %s%s.%s"
        .formatted(
            names.isEmpty() ? "Columns without \"here\"" : names,
            publication.title(),
            publication.publisher(),
            address,
            remark);
  }
}
