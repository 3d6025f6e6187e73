package io.shardmark.driver.results;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part of a run with its own rate. A transaction belongs to the stage in which it ended.
 *
 * @param stage as it was asked for, such as {@code 10m:5000}
 * @param fromSeconds when it began, from the start of the measurement interval
 * @param seconds how long it was: less than asked, or 0, if the run ended before
 * @param metrics the benchmark's metrics over the stage, by name
 * @param successes committed ones and deliberate rollbacks
 * @param errors failed ones
 * @param load what was due, begun and done, and the backlog
 * @param latencyMillis from due to done; null if nothing succeeded and nothing was due
 */
public record StageResult(
    String stage,
    double fromSeconds,
    double seconds,
    Map<String, Double> metrics,
    long successes,
    long errors,
    LoadFigures load,
    @Nullable Latency latencyMillis) {
  public StageResult {
    metrics = TypeResult.ordered(metrics);
    load = Objects.requireNonNullElse(load, LoadFigures.NONE);
  }

  /** Successes and failed ones per minute. */
  public double donePerMinute() {
    return seconds == 0 ? 0 : load.done() * 60 / seconds;
  }
}
