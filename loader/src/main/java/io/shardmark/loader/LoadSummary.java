package io.shardmark.loader;

import java.time.Duration;

/**
 * What a load did.
 *
 * @param rows written by this run, not those that an earlier, interrupted run had written
 * @param elapsed from the first connection to the last commit
 */
public record LoadSummary(long rows, Duration elapsed) {
  /** Rows per second. */
  public long rate() {
    return rows * 1_000 / Math.max(1, elapsed.toMillis());
  }
}
