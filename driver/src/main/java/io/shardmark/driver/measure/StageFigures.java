package io.shardmark.driver.measure;

import io.shardmark.config.Stage;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LoadFigures;

/**
 * What a stage asked of the system and what became of it. Counts transactions that count as
 * transactions of their own; one belongs to the stage in which it ended.
 *
 * @param stage as it was asked for
 * @param fromNanos when it began, from the start of the measurement interval
 * @param lengthNanos how long it was: less than asked, or 0, if the run ended before
 * @param load its rate, what was due, begun and done in it, and the backlog
 * @param successes committed ones and deliberate rollbacks
 * @param headline of these, the ones of the headline type (New-Order)
 * @param errors failed ones
 * @param due latencies of the successes from their due time; what was due and not done when the
 *     stage ended makes them lower bounds
 */
public record StageFigures(
    Stage stage,
    long fromNanos,
    long lengthNanos,
    LoadFigures load,
    long successes,
    long headline,
    long errors,
    Latency due) {
  /** Successes of the headline type per minute. */
  public double headlinePerMinute() {
    return perMinute(headline);
  }

  /** Successes per minute. */
  public double totalPerMinute() {
    return perMinute(successes);
  }

  private double perMinute(long count) {
    return lengthNanos == 0 ? 0 : count * 60e9 / lengthNanos;
  }
}
