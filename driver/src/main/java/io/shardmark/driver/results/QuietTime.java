package io.shardmark.driver.results;

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
}
