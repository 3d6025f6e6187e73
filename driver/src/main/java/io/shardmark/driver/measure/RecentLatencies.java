package io.shardmark.driver.measure;

/**
 * The latencies of the last 5 to 10 s, in two halves, of which the older is dropped whole. Used by
 * one thread.
 */
final class RecentLatencies {
  private static final int HALF_SECONDS = 5;

  private LatencyHistogram current = new LatencyHistogram();
  private LatencyHistogram previous = new LatencyHistogram();
  private int secondsInCurrent;

  /** Begins a second; what is added to the histogram is of it. */
  LatencyHistogram nextSecond() {
    if (secondsInCurrent == HALF_SECONDS) {
      LatencyHistogram oldest = previous;
      oldest.reset();
      previous = current;
      current = oldest;
      secondsInCurrent = 0;
    }
    secondsInCurrent++;
    return current;
  }

  LatencyHistogram sum() {
    LatencyHistogram sum = previous.copy();
    sum.add(current);
    return sum;
  }
}
