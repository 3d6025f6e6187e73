package io.shardmark.driver.replication;

import io.shardmark.driver.benchmark.MetricRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The figures of a run's standby. Pure. */
final class ReplicationFigures {
  private static final String APPLIED = "appliedTps";
  private static final String PERCENT = "appliedPercent";
  private static final String DRAINED = "drainedTps";
  private static final String LAG = "lagMillis";
  private static final String MOST_LAG = "lagMaxMillis";
  private static final String MOST_BYTES = "lagMaxBytes";
  private static final String DRAIN = "drainSeconds";

  static final List<MetricRule> METRICS =
      List.of(
          MetricRule.observed(APPLIED, "/s", true),
          MetricRule.observed(PERCENT, "%", true),
          MetricRule.observed(DRAINED, "/s", true),
          MetricRule.observed(LAG, "ms", false),
          MetricRule.observed(MOST_LAG, "ms", false),
          MetricRule.observed(MOST_BYTES, "B", false),
          MetricRule.observed(DRAIN, "s", false));

  private static final double PERCENT_OF = 100;

  private ReplicationFigures() {}

  record ReplicatedCount(long nanos, long statements) {
    double perSecondTo(ReplicatedCount end) {
      double seconds = (end.nanos - nanos) / 1e9;
      return seconds <= 0 ? 0 : (end.statements - statements) / seconds;
    }
  }

  /** Both endpoints at one moment, the standby asked first. */
  record ReplicationCounts(ReplicatedCount standby, ReplicatedCount primary) {}

  /**
   * @param begin of the interval; empty if not both endpoints answered
   * @param end of the interval; the same
   * @param drained when the standby had all; empty if it was not seen to
   * @param drainNanos from the end of the last transaction to there
   */
  static Map<String, Double> of(
      Optional<ReplicationCounts> begin,
      Optional<ReplicationCounts> end,
      LagTracker lag,
      Optional<ReplicatedCount> drained,
      long drainNanos) {
    Map<String, Double> figures = new LinkedHashMap<>();
    if (begin.isPresent() && end.isPresent()) {
      double applied = begin.get().standby().perSecondTo(end.get().standby());
      double committed = begin.get().primary().perSecondTo(end.get().primary());
      figures.put(APPLIED, applied);
      if (committed > 0) {
        figures.put(PERCENT, PERCENT_OF * applied / committed);
      }
    }
    if (lag.hasLooked()) {
      figures.put(LAG, lag.meanMillis());
      figures.put(MOST_LAG, lag.maxMillis());
      figures.put(MOST_BYTES, (double) lag.maxBytes());
    }
    if (drained.isPresent()) {
      begin.ifPresent(counts -> figures.put(DRAINED, counts.standby().perSecondTo(drained.get())));
      figures.put(DRAIN, drainNanos / 1e9);
    }
    return figures;
  }
}
