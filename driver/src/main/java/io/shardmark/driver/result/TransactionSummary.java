package io.shardmark.driver.result;

import static io.shardmark.driver.results.Texts.text;

import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;

/**
 * {@code data/tx_summary.csv} as BenchmarkSQL 5.1's R script writes it, so that its report template
 * and users' scripts find it without R. Latencies are of successes; the 90th percentile is R's type
 * 7 over the histogram, so it is right to three digits.
 */
final class TransactionSummary {
  private static final String HEADER =
      "tx_name,tx_count,tx_percent,tx_90th,tx_avg,tx_max,tx_limit,tx_rbk,tx_error,tx_dskipped";
  private static final String NOT_AVAILABLE = "N/A";

  /** TPC-C's upper limit is 12.86 a minute for each unit of scale; this makes it a percentage. */
  private static final double ONE_PERCENT_OF_LIMIT = 0.1286;

  private static final double NANOS_PER_MINUTE = 60e9;

  private TransactionSummary() {}

  static String toCsv(RunStatistics run, int scale) {
    long rows = 0;
    for (TypeStatistics type : run.types()) {
      rows += type.type().counted() ? type.count() : 0;
    }
    StringBuilder csv = new StringBuilder(HEADER).append('\n');
    for (TypeStatistics type : run.types()) {
      csv.append(row(type, rows)).append('\n');
    }
    double minutes = run.interval().lengthNanos() / NANOS_PER_MINUTE;
    double headline = run.headlineCount() / minutes;
    double tpmTotal = run.transactionCount() / minutes;
    double percent = headline / scale / ONE_PERCENT_OF_LIMIT;
    csv.append(rateRow("tpmC", headline, text("%.3f%%", percent)));
    csv.append(rateRow("tpmTotal", tpmTotal, NOT_AVAILABLE));
    return csv.toString();
  }

  private static String row(TypeStatistics type, long allRows) {
    Latency due = type.latency(LatencyKind.DUE, Scope.ALL);
    boolean measured = due.count() > 0;
    boolean counted = type.type().counted();
    return String.join(
        ",",
        type.type().name(),
        Long.toString(type.count()),
        counted && allRows > 0 ? text("%.3f%%", 100.0 * type.count() / allRows) : NOT_AVAILABLE,
        measured ? seconds(type.dueQuantileType7Nanos(0.9)) : NOT_AVAILABLE,
        measured ? seconds(1e6 * due.mean()) : NOT_AVAILABLE,
        measured ? seconds(1e6 * due.max()) : NOT_AVAILABLE,
        text("%.1f", type.type().responseTimeLimit().toMillis() / 1000.0),
        type.type().headline() && type.count() > 0
            ? text("%.3f%%", 100.0 * type.count(Disposition.ROLLED_BACK) / type.count())
            : NOT_AVAILABLE,
        Long.toString(type.errors()),
        counted ? NOT_AVAILABLE : Long.toString(type.skipped()));
  }

  private static String rateRow(String name, double rate, String percent) {
    return name
        + text(",%.2f,", Double.isFinite(rate) ? rate : 0)
        + percent
        + ",N/A".repeat(7)
        + "\n";
  }

  private static String seconds(double nanos) {
    return text("%.3fs", nanos / 1e9);
  }
}
