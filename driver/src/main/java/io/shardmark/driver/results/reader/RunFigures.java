package io.shardmark.driver.results.reader;

import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.results.reader.HeatMapBands.Resolution;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Puts together what the files say, the best source of each figure first.
 *
 * @param others what the directory says without a summary
 */
record RunFigures(
    TypeNames names,
    ResultRowsFile rows,
    PerSecondFile perSecond,
    HistogramLogFile histogramLog,
    Optional<RunResult> summary,
    BenchmarkSqlResult others) {
  /** A run whose rows end so much before its planned end was cut short. */
  private static final double CUT_SHORT = 0.98;

  /** With fewer columns than this the histogram log, of 10 s each, is too coarse for a map. */
  private static final int FEWEST_COLUMNS = 24;

  /** Of the headline type, those that the first screen shows. */
  private static final List<Double> PERCENTILES = List.of(90.0, 99.0);

  /** Whether {@code result.csv} holds each transaction. */
  boolean allRows() {
    if (summary.isEmpty()) {
      String wanted = others.properties().text("resultRows", "all");
      return rows.rows() > 0 && (wanted.isEmpty() || wanted.equalsIgnoreCase("all"));
    }
    long counted = summary.get().types().stream().mapToLong(TypeResult::count).sum();
    return rows.rows() > 0 && rows.rows() == counted;
  }

  /**
   * The run's own result, or what the files say.
   *
   * @param errors classes of errors, for a run without its own result
   */
  RunResult result(List<ErrorResult> errors, List<String> missing) {
    return summary.orElseGet(() -> others.result(seconds(missing), counts(), errors));
  }

  private double seconds(List<String> missing) {
    double planned = others.plannedSeconds();
    // Of the files that the rates are computed from: another may reach further.
    double covered = allRows() ? rows.lastElapsedSeconds() : (double) perSecond.seconds();
    if (isAsLongAsPlanned(planned, covered)) {
      return planned;
    }
    if (planned > 0) {
      missing.add(
          "The run was cut short: its files cover %.0f s of %.0f s; rates are over those."
              .formatted(covered, planned));
    }
    return covered;
  }

  /**
   * BenchmarkSQL's last row lies before the end of a run that was not cut short; Shardmark's file
   * of seconds has the last one too.
   */
  private boolean isAsLongAsPlanned(double planned, double covered) {
    if (planned <= 0) {
      return false;
    }
    return perSecond.seconds() > 0
        ? perSecond.seconds() >= planned
        : covered >= planned * CUT_SHORT;
  }

  List<TypeData> types(RunResult result, List<String> missing) {
    if (!allRows()) {
      missing.add(
          rows.rows() == 0
              ? "data/result.csv has no rows."
              : "data/result.csv does not hold each transaction; figures come from the totals.");
    }
    List<TypeData> types = new ArrayList<>();
    for (TypeResult type : result.types()) {
      int index = names.index(type.name());
      LatencyDistribution due = due(index);
      types.add(
          new TypeData(
              type,
              due,
              allRows() ? rows.service(index) : LatencyDistribution.NONE,
              allRows() ? rows.latency(index) : due));
    }
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

  private Map<String, TypeData.TypeCounts> counts() {
    Map<String, TypeData.TypeCounts> byName = new LinkedHashMap<>();
    for (String name : names.names()) {
      TypeData.TypeCounts bySeconds = perSecond.timeline().totals(names.index(name));
      TypeData.TypeCounts byRows = rows.timeline().totals(names.index(name));
      // Rows do not report retries.
      byName.put(
          name,
          allRows()
              ? byRows.plus(new TypeData.TypeCounts(0, 0, 0, bySeconds.retries(), 0))
              : bySeconds);
    }
    return byName;
  }

  private LatencyDistribution due(int index) {
    if (!histogramLog.isEmpty()) {
      return histogramLog.latency(index);
    }
    return allRows() ? rows.latency(index) : LatencyDistribution.NONE;
  }

  Timeline timeline(RunResult result) {
    boolean bySeconds = !perSecond.timeline().isEmpty();
    return bySeconds || allRows()
        ? (bySeconds ? perSecond.timeline() : rows.timeline())
            .build(names, histograms(), result.interval().seconds())
        : Timeline.NONE;
  }

  HeatMap heatMap() {
    List<Integer> counted =
        names.names().stream().filter(BenchmarkSqlResult::isCounted).map(names::index).toList();
    BucketHistograms histograms = histograms();
    return HeatMapBands.of(
        histograms,
        counted,
        histograms == rows.histograms() ? Resolution.MILLISECONDS : Resolution.MICROSECONDS);
  }

  /** How sure rates are, and the percentiles of the type that makes the main figure. */
  Certainty certainty(List<TypeData> types, Timeline timeline, RunResult result) {
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
                      names.index(type.name()), percentile, result.interval().seconds()));
        }
      }
    }
    return Certainty.of(
        Certainty.parts(timeline, result.metrics()), result.metrics(), percentiles, due);
  }

  private BucketHistograms histograms() {
    BucketHistograms log = histogramLog.histograms();
    boolean logIsFineEnough = log.size() >= FEWEST_COLUMNS || !allRows();
    return !histogramLog.isEmpty() && logIsFineEnough ? log : rows.histograms();
  }
}
