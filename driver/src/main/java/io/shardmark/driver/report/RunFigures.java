package io.shardmark.driver.report;

import static java.util.Objects.requireNonNullElse;

import io.shardmark.driver.report.HeatMapBands.Resolution;
import io.shardmark.driver.report.RunData.Interval;
import io.shardmark.driver.report.RunData.Rates;
import io.shardmark.driver.report.SummaryTable.Basis;
import io.shardmark.driver.report.TypeData.Counts;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.TypeResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Puts together what the files say, the best source of each figure first. */
final class RunFigures {
  /** A run whose rows end so much before its planned end was cut short. */
  private static final double CUT_SHORT = 0.98;

  /** With fewer columns than this the histogram log, of 10 s each, is too coarse for a map. */
  private static final int FEWEST_COLUMNS = 24;

  /** Of the headline type, those that the first screen shows. */
  private static final List<Double> PERCENTILES = List.of(90.0, 99.0);

  private final Sources sources;
  private final RunDescription description;
  private final boolean allRows;

  /** The files that grow with the run. */
  record Sources(
      TypeNames names,
      ResultRowsFile rows,
      PerSecondFile perSecond,
      HistogramLogFile histogramLog) {}

  RunFigures(Sources sources, RunDescription description) {
    this.sources = sources;
    this.description = description;
    allRows = findAllRows();
  }

  private boolean findAllRows() {
    long rows = sources.rows().rows();
    if (description.summary().isEmpty()) {
      return rows > 0 && description.wantsAllRows();
    }
    long counted = description.summary().get().types().stream().mapToLong(TypeResult::count).sum();
    return rows > 0 && rows == counted;
  }

  Interval interval(List<String> missing) {
    double planned = description.plannedSeconds();
    double seconds = planned;
    if (description.summary().isPresent()) {
      seconds = description.summary().get().interval().seconds();
    } else {
      // Of the files that the rates are computed from: another may reach further.
      double covered =
          allRows ? sources.rows().lastElapsedSeconds() : (double) sources.perSecond().seconds();
      if (!isAsLongAsPlanned(planned, covered)) {
        seconds = covered;
        if (planned > 0) {
          missing.add(
              "The run was cut short: its files cover %.0f s of %.0f s; rates are over those."
                  .formatted(covered, planned));
        }
      }
    }
    return new Interval(seconds, planned, description.rampUpSeconds());
  }

  /**
   * BenchmarkSQL's last row lies before the end of a run that was not cut short; our file of
   * seconds has the last one too.
   */
  private boolean isAsLongAsPlanned(double planned, double covered) {
    if (planned <= 0) {
      return false;
    }
    return sources.perSecond().seconds() > 0
        ? sources.perSecond().seconds() >= planned
        : covered >= planned * CUT_SHORT;
  }

  List<TypeData> types(List<String> missing) {
    if (!allRows) {
      missing.add(
          sources.rows().rows() == 0
              ? "data/result.csv has no rows."
              : "data/result.csv does not hold each transaction; figures come from the totals.");
    }
    List<TypeData> types =
        description.summary().isPresent()
            ? typesOfSummary(description.summary().get())
            : typesOfRows();
    if (!types.isEmpty() && types.stream().allMatch(type -> type.due().count() == 0)) {
      missing.add("There are no latencies.");
    }
    List<String> absent =
        types.stream().filter(type -> type.result().count() == 0).map(TypeData::name).toList();
    if (!absent.isEmpty() && absent.size() < types.size()) {
      missing.add("Never occurred: " + String.join(", ", absent) + ".");
    }
    return types;
  }

  private List<TypeData> typesOfSummary(RunResult summary) {
    List<TypeData> types = new ArrayList<>();
    for (TypeResult type : summary.types()) {
      int index = sources.names().index(type.name());
      types.add(new TypeData(type, due(index), service(index)));
    }
    return types;
  }

  private List<TypeData> typesOfRows() {
    List<TypeData> types = new ArrayList<>();
    List<String> names = sources.names().names();
    for (int index = 0; index < names.size(); index++) {
      Counts counts = allRows ? sources.rows().counts(index) : Counts.NONE;
      Counts perSecond = sources.perSecond().timeline().totals(index);
      TypeResult result =
          KnownTypes.result(
              names.get(index),
              allRows
                  ? new Counts(
                      counts.all(),
                      counts.rolledBack(),
                      counts.errors(),
                      perSecond.retries(),
                      counts.skipped())
                  : perSecond);
      types.add(new TypeData(result, due(index), service(index)));
    }
    return types;
  }

  private LatencyDistribution due(int index) {
    if (index >= 0 && !sources.histogramLog().isEmpty()) {
      return sources.histogramLog().latency(index);
    }
    return index >= 0 && allRows ? sources.rows().latency(index) : LatencyDistribution.NONE;
  }

  private LatencyDistribution service(int index) {
    return index >= 0 && allRows ? sources.rows().service(index) : LatencyDistribution.NONE;
  }

  SummaryTable summaryTable(List<TypeData> types, Interval interval) {
    long counted = 0;
    long headline = 0;
    long successes = 0;
    for (TypeData type : types) {
      Counts counts = tableCounts(type);
      if (type.result().counted()) {
        counted += counts.all();
        successes += counts.successes();
      }
      headline += type.result().headline() ? counts.successes() : 0;
    }
    List<SummaryTable.Row> rows = new ArrayList<>();
    for (TypeData type : types) {
      rows.add(row(type, counted));
    }
    double tpmC = SummaryTable.perMinute(headline, interval.seconds());
    int warehouses = description.setup().warehouses();
    return new SummaryTable(
        allRows ? Basis.ROWS : Basis.TOTALS,
        rows,
        tpmC,
        SummaryTable.perMinute(successes, interval.seconds()),
        warehouses == 0
            ? OptionalDouble.empty()
            : OptionalDouble.of(100 * tpmC / warehouses / SummaryTable.TPMC_PER_WAREHOUSE));
  }

  private Counts tableCounts(TypeData type) {
    TypeResult result = type.result();
    return allRows
        ? sources.rows().counts(sources.names().index(type.name()))
        : new Counts(
            result.count(),
            result.rolledBack(),
            result.errors(),
            result.retries(),
            result.skipped());
  }

  private SummaryTable.Row row(TypeData type, long counted) {
    Counts counts = tableCounts(type);
    LatencyDistribution latency =
        allRows ? sources.rows().latency(sources.names().index(type.name())) : type.due();
    boolean measured = latency.count() > 0;
    return new SummaryTable.Row(
        type.name(),
        type.result().headline(),
        type.result().counted(),
        counts,
        type.result().counted() && counted > 0
            ? OptionalDouble.of(100.0 * counts.all() / counted)
            : OptionalDouble.empty(),
        measured ? OptionalDouble.of(latency.quantileType7Millis(0.9)) : OptionalDouble.empty(),
        measured ? OptionalDouble.of(latency.meanMillis()) : OptionalDouble.empty(),
        measured ? OptionalDouble.of(latency.maxMillis()) : OptionalDouble.empty());
  }

  Rates rates(List<TypeData> types, SummaryTable table) {
    if (description.summary().isPresent()) {
      RunResult summary = description.summary().get();
      return new Rates(
          value(summary, "tpmC", Metric::value),
          value(summary, "tpmTotal", Metric::value),
          summary.transactionCount(),
          summary.failedCount(),
          value(summary, "tpmC", metric -> requireNonNullElse(metric.asBenchmarkSql(), 0.0)));
    }
    long successes = 0;
    long failed = 0;
    for (TypeData type : types) {
      successes += type.result().counted() ? type.result().successes() : 0;
      failed += type.result().counted() ? type.result().errors() : 0;
    }
    return new Rates(table.tpmC(), table.tpmTotal(), successes, failed, table.tpmC());
  }

  private static double value(RunResult summary, String name, ToDoubleFunction<Metric> of) {
    return summary.metric(name).map(of::applyAsDouble).orElse(0.0);
  }

  Timeline timeline(Interval interval) {
    TimelineBuilder perSecond = sources.perSecond().timeline();
    if (!perSecond.isEmpty()) {
      return perSecond.build(sources.names(), histograms(), interval.seconds());
    }
    return allRows
        ? sources.rows().timeline().build(sources.names(), histograms(), interval.seconds())
        : Timeline.NONE;
  }

  HeatMap heatMap() {
    List<Integer> counted = new ArrayList<>();
    List<String> names = sources.names().names();
    for (int i = 0; i < names.size(); i++) {
      if (KnownTypes.isCounted(names.get(i))) {
        counted.add(i);
      }
    }
    BucketHistograms histograms = histograms();
    return HeatMapBands.of(
        histograms,
        counted,
        histograms == sources.rows().histograms()
            ? Resolution.MILLISECONDS
            : Resolution.MICROSECONDS);
  }

  /** How sure rates are, and the percentiles of the type that makes the main figure. */
  Certainty certainty(
      List<TypeData> types, Timeline timeline, Interval interval, List<Metric> metrics) {
    Map<Double, List<Double>> percentiles = new TreeMap<>();
    LatencyDistribution due = LatencyDistribution.NONE;
    for (TypeData type : types) {
      if (type.result().headline()) {
        due = type.due();
        for (double percentile : PERCENTILES) {
          percentiles.put(
              percentile,
              histograms()
                  .percentilesOfParts(
                      sources.names().index(type.name()), percentile, interval.seconds()));
        }
      }
    }
    return Certainty.of(Parts.of(timeline, metrics), metrics, percentiles, due);
  }

  private BucketHistograms histograms() {
    BucketHistograms log = sources.histogramLog().histograms();
    boolean logIsFineEnough = log.size() >= FEWEST_COLUMNS || !allRows;
    return !sources.histogramLog().isEmpty() && logIsFineEnough ? log : sources.rows().histograms();
  }
}
