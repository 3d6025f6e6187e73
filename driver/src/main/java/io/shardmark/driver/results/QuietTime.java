package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * The longest time of a measurement interval in which no counted transaction succeeded, in whole
 * seconds; and the transactions that stood still while others went on.
 *
 * @param seconds 0 if some did in each second
 * @param fromSecond where it began, since the start of the interval
 * @param secondsAtEnd how long the interval's end was without a success, which may be another time
 *     than the longest
 * @param stuck successes that took so long, and so much longer than half of all, that they stood
 *     still
 * @param stuckFromSeconds how long is so long, the driver's own hold-ups added
 * @param stuckSeconds how long these took together
 * @param stuckShare 0 .. 1 of the time that all successes took
 */
public record QuietTime(
    long seconds,
    long fromSecond,
    long secondsAtEnd,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long stuck,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) double stuckFromSeconds,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) double stuckSeconds,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) double stuckShare) {
  public static final QuietTime NONE = new QuietTime(0, 0, 0);

  /** Without transactions that stood still. */
  public QuietTime(long seconds, long fromSecond, long secondsAtEnd) {
    this(seconds, fromSecond, secondsAtEnd, 0, 0, 0, 0);
  }

  public QuietTime withStuck(
      long transactions, double aboveSeconds, double inSeconds, double share) {
    return new QuietTime(
        seconds, fromSecond, secondsAtEnd, transactions, aboveSeconds, inSeconds, share);
  }

  /** Whether the interval ended in the longest. */
  public boolean toTheEnd() {
    return seconds > 0 && secondsAtEnd == seconds;
  }
}
