package io.shardmark.driver.judge;

import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.ThresholdResult;

/** One condition of the key {@code failOn}: if it holds, the run has failed. */
@FunctionalInterface
public interface Threshold {
  /**
   * Compares. What cannot be measured, such as a latency without a success, is broken.
   *
   * @param run with all figures but its verdict
   * @param worth its verdict
   */
  ThresholdResult check(RunResult run, RunVerdict worth);
}
