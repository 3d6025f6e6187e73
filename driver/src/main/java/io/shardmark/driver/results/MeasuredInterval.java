package io.shardmark.driver.results;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * The measurement interval.
 *
 * @param rampUpSeconds before it
 * @param seconds its length
 * @param transactionsOutside ended before or after it; they are in no other figure
 * @param steady null if the ramp-up had a fixed length
 */
public record MeasuredInterval(
    double rampUpSeconds, double seconds, long transactionsOutside, @Nullable SteadyRampUp steady) {
  private static final BigDecimal HUNDRED_MINUTES_SECONDS = BigDecimal.valueOf(6000);
  private static final double MAX_SECONDS = 1e12;
  static final MeasuredInterval NONE = new MeasuredInterval(0, 0, 0, null);

  public MeasuredInterval {
    if (!isLength(rampUpSeconds) || !isLength(seconds)) {
      throw new IllegalArgumentException("lengths of time from 0 to 1e12 s");
    }
  }

  private static boolean isLength(double seconds) {
    return seconds >= 0 && seconds <= MAX_SECONDS;
  }

  /**
   * A count per minute over whole microseconds, cut (not rounded) to two decimals as BenchmarkSQL
   * does; 0 below one microsecond.
   */
  public static double perMinute(long count, double seconds) {
    // No binary fractions, which may lose the last hundredth.
    BigDecimal length = BigDecimal.valueOf(seconds).setScale(6, RoundingMode.DOWN);
    return length.signum() <= 0
        ? 0
        : BigDecimal.valueOf(count)
                .multiply(HUNDRED_MINUTES_SECONDS)
                .divide(length, 0, RoundingMode.FLOOR)
                .longValue()
            / 100.0;
  }
}
