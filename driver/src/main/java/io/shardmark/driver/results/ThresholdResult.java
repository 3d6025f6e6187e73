package io.shardmark.driver.results;

/**
 * A condition of {@code failOn} with what was measured.
 *
 * @param condition as it was written
 * @param measured for people
 * @param broken whether the condition holds, so that the run has failed
 */
public record ThresholdResult(String condition, String measured, boolean broken) {
  /** One line for people. */
  public String sentence() {
    return "%s: %s, %s".formatted(condition, measured, broken ? "BROKEN" : "kept");
  }
}
