package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Chart;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.ErrorResult.Example;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.results.reader.ErrorTimeline;
import io.shardmark.driver.results.reader.LatencyDistribution;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.Timeline;
import io.shardmark.driver.results.reader.TypeData;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What was done, and what failed. */
final class ResultSections {
  /** More points than this only flicker. */
  private static final int MOST_POINTS = 120;

  private final RunData run;
  private final Timeline timeline;

  /** How many buckets of the timeline make a point. */
  private final int together;

  private final Set<String> counted;

  /** The first of those that can be shown over time. */
  private final Metric main;

  ResultSections(RunData run) {
    this.run = run;
    timeline = run.timeline();
    together = Math.max(1, (timeline.buckets() + MOST_POINTS - 1) / MOST_POINTS);
    counted =
        run.types().stream()
            .filter(type -> type.result().counted())
            .map(TypeData::name)
            .collect(Collectors.toSet());
    main = run.overTime().get(0);
  }

  /** BenchmarkSQL's table in its columns. */
  Section summary() {
    Table table =
        new Columns<TypeData>()
            .text("Transaction type", TypeData::name)
            .number("Latency 90th % (s)", seconds(of -> of.quantileType7Millis(0.9)))
            .number("Average (s)", seconds(LatencyDistribution::meanMillis))
            .number("Maximum (s)", seconds(LatencyDistribution::maxMillis))
            .number("Count", type -> Texts.count(type.result().count()))
            .number("Percent", type -> Texts.exactPercent(type.result().mixPercent()))
            .number("Rollback", ResultSections::rollbackShare)
            .number("Errors", type -> Texts.count(type.result().errors()))
            .number(
                "Skipped deliveries",
                type -> type.result().counted() ? Texts.NONE : Texts.count(type.result().skipped()))
            .table("", run.types());
    return new Section(
        "summary",
        "BenchmarkSQL's table",
        "Its columns, from " + (run.allRows() ? "each row of result.csv." : "the run's totals."),
        List.of(
            table,
            new Page.PageNote(
                "Overall %s %s, overall %s %s. %s"
                    .formatted(
                        run.metricName(0),
                        Texts.exactRate(run.result().headlinePerMinute()),
                        run.metricName(1),
                        Texts.exactRate(run.result().totalPerMinute()),
                        SetupSections.efficiency(run)))),
        true);
  }

  private static Function<TypeData, String> seconds(ToDoubleFunction<LatencyDistribution> millis) {
    return type ->
        type.inRows().count() == 0
            ? Texts.NONE
            : Texts.millisAsSeconds(millis.applyAsDouble(type.inRows()));
  }

  private static String rollbackShare(TypeData type) {
    TypeResult result = type.result();
    return Texts.exactPercent(
        result.headline() && result.count() > 0
            ? 100.0 * result.rolledBack() / result.count()
            : null);
  }

  Section throughput() {
    return new Section(
        "throughput",
        "Throughput",
        "",
        List.of(
            timeline.lines().isEmpty()
                ? new Page.PageNote("There are no figures over time.")
                : throughputOverTime()));
  }

  private Chart throughputOverTime() {
    ChartData chart = overTime("per " + main.period()).means();
    chart.view("Total");
    addRates(chart);
    chart.view("By type");
    for (Timeline.TimeLine line : timeline.lines()) {
      chart.series(line.type(), line.type(), rates(main.periodSeconds(), weighted(line)));
    }
    return chart.build(
        "chart-throughput",
        main.countsTransactions() ? "Transactions per " + main.period() : main.name(),
        "",
        "Each point is the rate of %s. Thin lines are means."
            .formatted(Texts.duration(together * timeline.widthSeconds())));
  }

  /** Successes as often as they add to their line: once for a type that is not in the main rate. */
  private List<Long> weighted(Timeline.TimeLine line) {
    long weight = main.weights().getOrDefault(line.type(), 1L);
    return line.successes().stream().map(count -> weight * count).toList();
  }

  /** The main rate, small; empty without figures over time. */
  Optional<Page.PageCurve> curve() {
    if (timeline.lines().isEmpty()) {
      return Optional.empty();
    }
    List<Double> rates = rates(main);
    return Optional.of(
        new Page.PageCurve(
            main.name() + " over time", Texts.range(rates, "a " + main.period()), rates));
  }

  /** The headline comes before what includes it. */
  private void addRates(ChartData chart) {
    List<Metric> rates =
        run.overTime().stream().filter(metric -> metric.unit().equals(main.unit())).toList();
    for (int i = rates.size() - 1; i >= 0; i--) {
      boolean ofAll = rates.get(i).weights().keySet().equals(counted);
      String key = i == 0 && rates.size() > 1 ? "headline" : ofAll ? "total" : rates.get(i).name();
      chart.series(key, rates.get(i).name(), rates(rates.get(i)));
    }
  }

  private List<Double> rates(Metric metric) {
    return rates(metric.periodSeconds(), timeline.counts(metric));
  }

  private ChartData overTime(String unit) {
    double width = together * timeline.widthSeconds();
    return ChartData.time(unit, width, run.result().interval().seconds())
        .events(run.result().events());
  }

  /** One value for each point, from what was counted in each bucket. */
  private List<Double> rates(int periodSeconds, List<? extends Number> counts) {
    return Timeline.rates(
        Timeline.sums(counts, together),
        periodSeconds,
        together * timeline.widthSeconds(),
        timeline.seconds());
  }

  Section errors() {
    return new Section("errors", "Errors and retries", "", errorBlocks());
  }

  private List<Block> errorBlocks() {
    List<ErrorResult> errors = run.result().errors();
    if (run.isBlank() && errors.isEmpty()) {
      return List.of(new Page.PageNote("The directory does not record it."));
    }
    if (!run.knowsErrors()) {
      return List.of(
          new Page.PageNote(
              "BenchmarkSQL writes 0 into the column error whatever happened; its log has what"
                  + " failed."));
    }
    return run.result().errorCount() + run.result().retryCount() == 0 && errors.isEmpty()
        ? List.of(new Page.PageNote("No transaction failed, and none was tried again."))
        : List.of(errorsByType(), errorClasses(), classesOverTime(), errorsOverTime());
  }

  private Table errorsByType() {
    return new Columns<TypeResult>()
        .text("Transaction type", TypeResult::name)
        .number("Failed", type -> Texts.count(type.errors()))
        .number(
            "Share",
            type ->
                type.count() == 0
                    ? Texts.NONE
                    : Texts.percent((double) type.errors() / type.count()))
        .number("Retries", type -> Texts.count(type.retries()))
        .prose(
            "Failed by",
            type ->
                type.errorsByDisposition().entrySet().stream()
                    .map(entry -> entry.getKey() + " " + Texts.count(entry.getValue()))
                    .collect(Collectors.joining(", ")))
        .table("By transaction type", run.types().stream().map(TypeData::result).toList());
  }

  private Table errorClasses() {
    return new Columns<ErrorResult>()
        .text("Transaction type", ErrorResult::type)
        .text("What", ErrorResult::disposition)
        .text("SQLSTATE", ErrorResult::sqlState)
        .number("Raised", error -> Texts.count(error.count()))
        .number("Tried again", error -> Texts.count(error.retried()))
        .number(
            "First after",
            error ->
                error.examples().stream()
                    .findFirst()
                    .map(ResultSections::firstAfter)
                    .orElse(Texts.NONE))
        .prose(
            "For example",
            error -> error.examples().stream().findFirst().map(Example::message).orElse(""))
        .table("Classes of errors, those included that a retry healed", run.result().errors());
  }

  private static String firstAfter(Example example) {
    return example.firstSeenMillis() < 0
        ? "in ramp-up"
        : Texts.duration((double) Math.floorDiv(example.firstSeenMillis(), 1000L));
  }

  private Chart classesOverTime() {
    ErrorTimeline errors = run.errorsOverTime();
    double seconds = run.result().interval().seconds();
    ChartData chart =
        ChartData.time("per minute", errors.widthSeconds(), seconds).events(run.result().events());
    addClasses(chart.view("Raised"), errors, ErrorTimeline.ErrorLine::raised);
    addClasses(chart.view("Tried again"), errors, ErrorTimeline.ErrorLine::retried);
    return chart.build(
        "chart-error-classes",
        "Errors by class over time",
        "",
        "Errors raised, those included that a retry healed.");
  }

  private void addClasses(
      ChartData chart, ErrorTimeline errors, Function<ErrorTimeline.ErrorLine, List<Long>> counts) {
    int index = 0;
    double seconds = run.result().interval().seconds();
    for (ErrorTimeline.ErrorLine line : errors.lines()) {
      chart.series(
          "s" + index,
          line.name(),
          Timeline.rates(counts.apply(line), 60, errors.widthSeconds(), seconds));
      index++;
    }
  }

  private Chart errorsOverTime() {
    ChartData chart = overTime("per minute");
    chart.view("Together");
    chart.series("DELIVERY", "failed", allPerMinute(Timeline.TimeLine::errors));
    chart.series("PAYMENT", "retries", allPerMinute(Timeline.TimeLine::retries));
    addTypes(chart.view("Failed by type"), Timeline.TimeLine::errors);
    addTypes(chart.view("Retries by type"), Timeline.TimeLine::retries);
    return chart.build("chart-errors", "Failed transactions and retries over time", "low", "");
  }

  private List<Double> allPerMinute(Function<Timeline.TimeLine, List<Long>> counts) {
    return rates(
        60,
        timeline.each(
            i -> timeline.lines().stream().mapToLong(line -> counts.apply(line).get(i)).sum()));
  }

  private void addTypes(ChartData chart, Function<Timeline.TimeLine, List<Long>> counts) {
    for (Timeline.TimeLine line : timeline.lines()) {
      chart.series(line.type(), line.type(), rates(60, counts.apply(line)));
    }
  }
}
