package io.shardmark.driver.results.reader;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.OptionalDouble;

/**
 * BenchmarkSQL's result summary in its columns and with its arithmetic: the 90th percentile is R's
 * type 7 over whole milliseconds. Failed transactions are counted and are in no latency and no
 * rate; BenchmarkSQL's own files never have any.
 *
 * @param basis what it was computed from
 * @param rows in the workload's order
 * @param headlinePerMinute New-Orders per minute
 * @param totalPerMinute all counted types per minute
 * @param percentOfLimit the first as a share of the most that TPC-C 4.2 allows for the size of the
 *     data; empty if that is not known
 */
public record SummaryTable(
    Basis basis,
    List<Row> rows,
    double headlinePerMinute,
    double totalPerMinute,
    OptionalDouble percentOfLimit) {
  /**
   * TPC-C 4.2: the most New-Orders per minute that the ten terminals of one unit of scale reach.
   */
  public static final double MOST_HEADLINE_PER_UNIT = 12.86;

  public SummaryTable {
    rows = List.copyOf(rows);
  }

  /** Where the figures come from. */
  public enum Basis {
    /** All rows of {@code result.csv}. */
    ROWS,
    /** {@code summary.json} and {@code latency.hlog}, because not all rows were written. */
    TOTALS
  }

  /**
   * One type. Latencies are of successes and empty where there is none.
   *
   * @param headline whether it makes the main figure
   * @param counted whether it is a transaction of its own
   * @param counts how its transactions ended
   * @param percent share of the counted types; empty for others
   */
  public record Row(
      String name,
      boolean headline,
      boolean counted,
      TypeData.Counts counts,
      OptionalDouble percent,
      OptionalDouble p90Millis,
      OptionalDouble meanMillis,
      OptionalDouble maxMillis) {}

  /** Cut to two decimals, as BenchmarkSQL's console does; 0 if nothing was measured. */
  static double perMinute(long count, double seconds) {
    // Whole microseconds, and no binary fractions, which may lose the last hundredth: as the
    // driver.
    BigDecimal length = BigDecimal.valueOf(seconds).setScale(6, RoundingMode.DOWN);
    if (length.signum() <= 0) {
      return 0;
    }
    return BigDecimal.valueOf(6000L * count).divide(length, 0, RoundingMode.FLOOR).longValue()
        / 100.0;
  }
}
