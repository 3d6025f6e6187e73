package io.shardmark.driver.measure;

import io.shardmark.driver.results.QuietTime;
import java.util.ArrayList;
import java.util.List;

/** Finds the longest time without a success; it gets each second in order. Used by one thread. */
final class QuietFinder {
  private long seconds;
  private long fromSecond;
  private long since;
  private long next;
  private final List<Long> successesBySecond = new ArrayList<>();

  /**
   * @param successes of all counted types in this second
   * @param paused whether none was asked for
   */
  void add(long second, long successes, boolean paused) {
    next = second + 1;
    successesBySecond.add(successes);
    if (successes > 0 || paused) {
      since = next;
    } else if (next - since >= seconds) {
      // Of equal ones the last, for one that reaches the end says more.
      seconds = next - since;
      fromSecond = since;
    }
  }

  /** The last second is not a whole one: that nothing succeeded in it says nothing. */
  void endsShort(long successes) {
    if (successes > 0) {
      since = next;
    }
  }

  QuietTime longest() {
    return new QuietTime(seconds, fromSecond, next - since);
  }

  /** Of each whole second, in order. */
  List<Long> successesBySecond() {
    return List.copyOf(successesBySecond);
  }
}
