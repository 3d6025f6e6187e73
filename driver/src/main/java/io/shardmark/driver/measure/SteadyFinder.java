package io.shardmark.driver.measure;

import io.shardmark.driver.results.SteadyRampUp;
import io.shardmark.driver.results.estimate.SteadyState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Finds when a ramp-up became steady; it gets each second in order. Used by one thread. */
final class SteadyFinder {
  private final List<Double> batches = new ArrayList<>();
  private double inBatch;
  private int seconds;
  private OptionalInt begin = OptionalInt.empty();

  /**
   * @param successes of all counted types in this second
   */
  void add(long successes) {
    inBatch += successes;
    seconds++;
    if (seconds % SteadyState.BATCH == 0 && begin.isEmpty()) {
      batches.add(inBatch / SteadyState.BATCH);
      inBatch = 0;
      begin = SteadyState.begin(batches);
    }
  }

  boolean isSteady() {
    return begin.isPresent();
  }

  SteadyRampUp result() {
    return new SteadyRampUp(
        begin.isPresent() ? (double) SteadyState.BATCH * begin.getAsInt() : null);
  }
}
