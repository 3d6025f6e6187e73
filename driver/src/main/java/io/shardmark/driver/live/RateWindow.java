package io.shardmark.driver.live;

import java.util.List;

/** Rates over the last 5 s, from counts of whole seconds. Used by one thread. */
final class RateWindow {
  private static final int SECONDS = 5;

  private final long[][] counts;
  private int added;

  RateWindow(int rows) {
    counts = new long[rows][SECONDS];
  }

  void add(List<Long> second) {
    int slot = added % SECONDS;
    for (int row = 0; row < counts.length; row++) {
      counts[row][slot] = second.get(row);
    }
    added++;
  }

  double perSecond(int row) {
    long sum = 0;
    for (long count : counts[row]) {
      sum += count;
    }
    return (double) sum / Math.max(1, Math.min(added, SECONDS));
  }
}
