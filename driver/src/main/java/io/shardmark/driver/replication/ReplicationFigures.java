package io.shardmark.driver.replication;

import io.shardmark.driver.benchmark.Metric;
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

  static final List<Metric> METRICS =
      List.of(
          Metric.observed(APPLIED, "/s", true),
          Metric.observed(PERCENT, "%", true),
          Metric.observed(DRAINED, "/s", true),
          Metric.observed(LAG, "ms", false),
          Metric.observed(MOST_LAG, "ms", false),
          Metric.observed(MOST_BYTES, "B", false),
          Metric.observed(DRAIN, "s", false));

  private static final double PERCENT_OF = 100;

  private ReplicationFigures() {}

  /**
   * How many statements an endpoint showed.
   *
   * @param nanos when it was asked
   */
  record Count(long nanos, long statements) {
    double perSecondTo(Count end) {
      double seconds = (end.nanos - nanos) / 1e9;
      return seconds <= 0 ? 0 : (end.statements - statements) / seconds;
    }
  }

  /** Both endpoints at one moment, the standby asked first. */
  record Counts(Count standby, Count primary) {}

  /**
   * @param begin of the interval; empty if not both endpoints answered
   * @param end of the interval
   * @param drained when the standby had all; empty if it was not seen to
   * @param drainNanos from the end of the last transaction to there
   */
  record Observed(
      Optional<Counts> begin,
      Optional<Counts> end,
      LagTracker lag,
      Optional<Count> drained,
      long drainNanos) {}

  static Map<String, Double> of(Observed observed) {
    Map<String, Double> figures = new LinkedHashMap<>();
    if (observed.begin().isPresent() && observed.end().isPresent()) {
      Counts begin = observed.begin().get();
      double applied = begin.standby().perSecondTo(observed.end().get().standby());
      double committed = begin.primary().perSecondTo(observed.end().get().primary());
      figures.put(APPLIED, applied);
      if (committed > 0) {
        figures.put(PERCENT, PERCENT_OF * applied / committed);
      }
    }
    if (observed.lag().hasLooked()) {
      figures.put(LAG, observed.lag().meanMillis());
      figures.put(MOST_LAG, observed.lag().maxMillis());
      figures.put(MOST_BYTES, (double) observed.lag().maxBytes());
    }
    observed
        .drained()
        .ifPresent(
            drained -> {
              observed
                  .begin()
                  .ifPresent(begin -> figures.put(DRAINED, begin.standby().perSecondTo(drained)));
              figures.put(DRAIN, observed.drainNanos() / 1e9);
            });
    return figures;
  }
}
