package io.shardmark.driver.measure;

import java.time.Duration;
import java.util.Optional;

/**
 * How the run is doing now, ramp-up included. Immutable.
 *
 * @param phase where in the run this is
 * @param sinceStart since the terminals started
 * @param timeLeft until the measurement interval ends; empty if it ends by number of transactions
 * @param transactions successes of counted types since the start
 * @param errors transactions of any type that ended in an error since the start
 * @param average successes of counted types since the interval began, or since the start before
 *     that
 * @param current the same over the last 5 s
 * @param p95Nanos 95th percentile of the due-time latency of all types, over the last 5 to 10
 *     seconds that are complete; 0 if nothing succeeded in them
 */
public record LiveFigures(
    LivePhase phase,
    Duration sinceStart,
    Optional<Duration> timeLeft,
    long transactions,
    long errors,
    SuccessCounts average,
    SuccessCounts current,
    long p95Nanos) {

  /** NaN if nothing succeeded in these seconds. */
  public double p95Millis() {
    return p95Nanos == 0 ? Double.NaN : p95Nanos / 1e6;
  }

  /** Parts of a run. */
  public enum LivePhase {
    STARTING,
    RAMP_UP,
    MEASURING,
    ENDING
  }

  static final LiveFigures NOTHING_YET =
      new LiveFigures(
          LivePhase.STARTING,
          Duration.ZERO,
          Optional.empty(),
          0,
          0,
          SuccessCounts.NONE,
          SuccessCounts.NONE,
          0);
}
