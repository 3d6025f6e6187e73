package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.PageGrade;
import io.shardmark.driver.report.Page.PageVerdict;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.Adversity;
import io.shardmark.driver.results.DatabaseTitle;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunScale;
import io.shardmark.driver.results.SteadyRampUp;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.estimate.Interval;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.RunData.Origin;
import io.shardmark.driver.results.reader.TypeData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The report of a run as one HTML file that needs nothing else: its head, then one section after
 * the other.
 */
public final class HtmlReport {
  /** The name of the file in a result directory, as BenchmarkSQL's. */
  public static final String FILE_NAME = "report.html";

  /** More types would fill the first screen. */
  private static final int MOST_TYPES = 6;

  private final RunData run;
  private final Optional<PreviousRun> previous;

  private HtmlReport(RunData run, Optional<PreviousRun> previous) {
    this.run = run;
    this.previous = previous;
  }

  /** Writes {@code report.html} into the directory, whole or not at all. */
  public static Path write(RunData run, Path directory) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    HtmlReport report = new HtmlReport(run, PreviousRun.of(directory, run.result()));
    PageHtml.replace(Map.of(file, PageHtml.of(report.page(), "Shardmark report")));
    return file;
  }

  private Page page() {
    Verdicts verdicts = new Verdicts(run);
    return new Page(
        heading() + " · run " + number(),
        kicker(),
        heading(),
        subtitle(),
        figures(),
        curves(),
        Stream.concat(verdicts.all().stream(), change().stream()).toList(),
        verdicts.warnings(),
        sections(),
        "Written by Shardmark from the files in " + run.directory() + ".");
  }

  private Optional<PageVerdict> change() {
    return previous
        .filter(one -> !one.changes(run.result()).isEmpty())
        .map(
            one ->
                PageGrade.RESULT.on(
                    "Since the last run",
                    "%s (%s)".formatted(one.changes(run.result()), one.name())));
  }

  private String kicker() {
    return joined(
        run.result().run().product(), number().isEmpty() ? "" : "run " + number(), run.directory());
  }

  /** Of the run; empty if it is not known. */
  private String number() {
    int id = run.result().run().id();
    return id == 0 ? "" : Integer.toString(id);
  }

  private String heading() {
    RunScale scale = run.result().scale();
    String database =
        DatabaseTitle.of(run.result().configuration().text("db"), run.result().database());
    long terminals = run.result().configuration().whole("terminals");
    return joined(
        run.workload() + (database.isEmpty() ? "" : " on " + database),
        scale.number() == 0 ? "" : Texts.count(scale.number()) + " " + scale.noun(),
        terminals == 0 ? "" : Texts.plural(terminals, "terminal", "terminals"));
  }

  private String subtitle() {
    String start = run.result().run().sessionStart();
    String rampUp =
        run.result().interval().rampUpSeconds() >= 0.05
            ? " after " + Texts.duration(run.result().interval().rampUpSeconds()) + " of ramp-up"
            : "";
    SteadyRampUp steady = run.result().interval().steady();
    Double from = steady == null ? null : steady.fromSeconds();
    return joined(
        start.isEmpty() ? "" : "started " + start.replace('T', ' ').replaceFirst("\\.\\d+", ""),
        run.result().interval().seconds() > 0
            ? "measured " + Texts.duration(run.result().interval().seconds()) + rampUp
            : "",
        from == null ? "" : "steady after " + Texts.seconds(from) + " (MSER-5)");
  }

  private List<Page.PageCurve> curves() {
    return Stream.of(new ResultSections(run).curve(), new LatencySections(run).smallCurve())
        .flatMap(Optional::stream)
        .toList();
  }

  private static String joined(String... parts) {
    return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(" · "));
  }

  private List<Page.PageFigure> figures() {
    RunResult result = run.result();
    List<Page.PageFigure> figures = new ArrayList<>();
    for (Metric metric : result.metrics()) {
      String name = metric.name();
      String note = metric.rate() ? interval(run.certainty().rates().get(name)) : "";
      boolean main = figures.isEmpty();
      String counted = main && run.tpcc() ? "; New-Orders per minute" : "";
      figures.add(new Page.PageFigure(main, name, rate(metric.value()), "", note + counted));
    }
    figures.add(
        run.knowsErrors()
            ? Page.PageFigure.of("failed", Texts.count(result.failedCount()), "", failedShare())
            : Page.PageFigure.of("failed", Texts.NONE, "", "not recorded by BenchmarkSQL"));
    run.types().stream()
        .filter(type -> type.result().headline() && type.due().count() > 0)
        .findFirst()
        .ifPresent(
            type -> {
              figures.add(latency(type, LatencyFigure.P90));
              figures.add(latency(type, LatencyFigure.P99));
            });
    run.types().stream()
        .filter(type -> type.result().counted() && !type.result().headline())
        .filter(type -> Latency.known(type.figures()) != null)
        .limit(MOST_TYPES)
        .forEach(
            type ->
                figures.add(
                    Page.PageFigure.of(
                        "p99 " + type.name(), LatencyFigure.P99.shown(type.figures()), "ms", "")));
    if (run.paced() && run.percentOfLimit().isPresent()) {
      figures.add(
          Page.PageFigure.of(
              "efficiency",
              Texts.percent(run.percentOfLimit().getAsDouble() / 100),
              "",
              "of " + SetupSections.limit(run)));
    }
    return figures;
  }

  /** Nothing at all is not a rate of 0. */
  private String rate(double perMinute) {
    return run.result().interval().seconds() > 0 ? Texts.three(perMinute) : Texts.NONE;
  }

  /** An interval around what may be higher than is known would mean nothing. */
  private Page.PageFigure latency(TypeData type, LatencyFigure figure) {
    Latency due = type.figures();
    String note =
        figure.isLowerBound(due)
            ? "a lower bound: %s not done when the interval ended"
                .formatted(Texts.plural(due.undone(), "transaction was", "transactions were"))
            : interval(run.certainty().headlineMillis().get(figure.percentile()));
    return Page.PageFigure.of(figure.text() + " " + type.name(), figure.shown(due), "ms", note);
  }

  private String failedShare() {
    long failed = run.result().failedCount();
    long all = failed + run.result().transactionCount();
    return all == 0 ? "" : Texts.percent((double) failed / all) + " of all transactions";
  }

  private List<Section> sections() {
    ResultSections results = new ResultSections(run);
    LatencySections latencies = new LatencySections(run);
    ResourceSections resources = new ResourceSections(run);
    DriverSections drivers = new DriverSections(run);
    LoadSections load = new LoadSections(run.result());
    SetupSections setup = new SetupSections(run);
    Adversity adversity = run.result().adversity();
    Section missing =
        new Section(
            "missing",
            "Not in this report",
            run.origin() == Origin.SHARDMARK ? "" : "BenchmarkSQL keeps less than Shardmark does.",
            List.of(new Page.Items(run.missing())),
            run.result().observers().isEmpty());
    return List.of(
        load.bottleneck(),
        results.throughput(),
        load.load(),
        load.stages(),
        load.idleSessions(),
        adversity == null ? Section.NONE : AdversitySection.of(adversity),
        latencies.responseTimes(),
        results.errors(),
        resources.system(),
        resources.database(),
        drivers.processors(),
        setup.costs(),
        drivers.client(),
        drivers.drivers(),
        latencies.byType(),
        load.statements(),
        setup.guarantees(),
        setup.rules(),
        resources.databaseFigures(),
        run.tpcc() ? results.summary() : Section.NONE,
        setup.given(),
        setup.setup(),
        missing);
  }

  /** What an interval leaves open, as the note of a figure. */
  private static String interval(@Nullable Interval interval) {
    return interval == null
        ? "too few or too unlike parts for an interval"
        : "95 %: " + range(interval);
  }

  static String range(@Nullable Interval interval) {
    return interval == null
        ? Texts.NONE
        : "%s to %s".formatted(Texts.three(interval.low()), Texts.three(interval.high()));
  }
}
