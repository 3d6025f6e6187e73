package io.shardmark.driver.recorder;

import static io.shardmark.driver.results.Texts.text;

import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunScale;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.TypeResult;

/**
 * {@code data/tx_summary.csv} as BenchmarkSQL 5.1's R script writes it, so that its report template
 * and users' scripts find it without R. Latencies are of successes; the 90th percentile is R's type
 * 7 over the histogram, so it is right to three digits.
 */
final class TransactionSummary {
  private static final String HEADER =
      "tx_name,tx_count,tx_percent,tx_90th,tx_avg,tx_max,tx_limit,tx_rbk,tx_error,tx_dskipped";
  private static final String NOT_AVAILABLE = "N/A";

  private TransactionSummary() {}

  /**
   * @param statistics what the result was made from: it alone has the quantiles
   */
  static String toCsv(RunResult result, RunStatistics statistics) {
    StringBuilder csv = new StringBuilder(HEADER).append('\n');
    for (int i = 0; i < result.types().size(); i++) {
      double p90Nanos = statistics.types().get(i).dueQuantileType7Nanos(0.9);
      csv.append(row(result.types().get(i), p90Nanos)).append('\n');
    }
    double minutes = result.interval().seconds() / 60;
    double headline = result.headlineCount() / minutes;
    double percent = 100 * headline / result.scale().number() / RunScale.MOST_HEADLINE_PER_UNIT;
    csv.append(rateRow("tpmC", headline, text("%.3f%%", percent)));
    csv.append(rateRow("tpmTotal", result.transactionCount() / minutes, NOT_AVAILABLE));
    return csv.toString();
  }

  private static String row(TypeResult type, double p90Nanos) {
    Latency due = type.latencyMillis().of(Scope.ALL, LatencyKind.DUE).orElse(Latency.NONE);
    boolean measured = due.count() > 0;
    return String.join(
        ",",
        type.name(),
        Long.toString(type.count()),
        type.mixPercent() == null ? NOT_AVAILABLE : text("%.3f%%", type.mixPercent()),
        measured ? seconds(p90Nanos) : NOT_AVAILABLE,
        measured ? seconds(1e6 * due.mean()) : NOT_AVAILABLE,
        measured ? seconds(1e6 * due.max()) : NOT_AVAILABLE,
        text("%.1f", type.limitMillis() / 1000),
        type.headline() && type.count() > 0
            ? text("%.3f%%", 100.0 * type.rolledBack() / type.count())
            : NOT_AVAILABLE,
        Long.toString(type.errors()),
        type.counted() ? NOT_AVAILABLE : Long.toString(type.skipped()));
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
