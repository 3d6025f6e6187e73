package io.shardmark.driver.sweep;

import io.shardmark.driver.sweep.PointRecord.Outcome;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What tables and sentences call the figures of a sweep's runs, which are all of one benchmark.
 *
 * @param metric the main one
 * @param perMinute successes of all types
 * @param p90 of {@link PointFigures#p90}
 */
record FigureNames(String metric, String perMinute, String p90) {
  private static final FigureNames TPC_C =
      new FigureNames(PointFigures.TPM_C, "tpmTotal", "New-Order p90");

  boolean isOfTpcC() {
    return equals(TPC_C);
  }

  static FigureNames of(PointFigures figures) {
    String metric = figures.metric().name();
    return metric.equals(TPC_C.metric)
        ? TPC_C
        : new FigureNames(metric, "txns/min", "all types p90");
  }

  static FigureNames of(List<PointRecord> records) {
    return first(
        records.stream()
            .map(PointRecord::outcome)
            .filter(Objects::nonNull)
            .map(Outcome::figures)
            .filter(Objects::nonNull));
  }

  /** Of the first of them; without any there is nothing to be named. */
  static FigureNames first(Stream<PointFigures> figures) {
    return figures.findFirst().map(FigureNames::of).orElse(TPC_C);
  }
}
