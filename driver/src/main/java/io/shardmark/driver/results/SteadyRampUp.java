package io.shardmark.driver.results;

import org.jspecify.annotations.Nullable;

/**
 * A ramp-up that was to end when the throughput was steady.
 *
 * @param fromSeconds when that had begun, from the start of the ramp-up; null if it never had
 */
public record SteadyRampUp(@Nullable Double fromSeconds) {
  /** The rule by which it was found, for readers. */
  public static final String RULE = "MSER-5";
}
