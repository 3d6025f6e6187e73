package io.shardmark.driver.sweep;

/**
 * The values that a search may try.
 *
 * @param from the least, from 1
 * @param to the greatest, from {@code from}
 * @param step from the least in steps of so many; 0 is any, and near enough ends the search
 * @param nearPercent with step 0, how near two values are that need nothing between them
 */
record Grid(int from, int to, int step, int nearPercent) {

  /** The next value of a search that still goes up: about twice as much. */
  int twice(int value) {
    return (int) Math.min(to, aligned(Math.max(2L * value, value + (long) Math.max(1, step))));
  }

  /** True if nothing between two values is worth a run. */
  boolean isNarrow(int low, int high) {
    if (step == 0 && high - low <= Math.max(1L, (long) low * nearPercent / 100)) {
      return true;
    }
    int middle = middle(low, high);
    return middle <= low || middle >= high;
  }

  int middle(int low, int high) {
    return (int) aligned(low + (high - (long) low) / 2);
  }

  private long aligned(long value) {
    return step <= 1 ? value : from + (value - from) / step * step;
  }
}
