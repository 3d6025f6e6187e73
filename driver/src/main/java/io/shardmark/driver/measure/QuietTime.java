package io.shardmark.driver.measure;

/**
 * The longest time of a measurement interval in which no counted transaction succeeded, in whole
 * seconds.
 *
 * @param seconds 0 if some did in each second
 * @param fromSecond where it began, since the start of the interval
 * @param secondsAtEnd how long the interval's end was without a success, which may be another time
 *     than the longest
 */
public record QuietTime(long seconds, long fromSecond, long secondsAtEnd) {
  public static final QuietTime NONE = new QuietTime(0, 0, 0);

  /** Whether the interval ended in the longest. */
  public boolean toTheEnd() {
    return seconds > 0 && secondsAtEnd == seconds;
  }

  /** Told of each second in order. Of one thread. */
  static final class Finder {
    private long seconds;
    private long fromSecond;
    private long since;
    private long next;

    /**
     * @param successes of all counted types in this second
     */
    void add(long second, long successes) {
      next = second + 1;
      if (successes > 0) {
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
  }
}
