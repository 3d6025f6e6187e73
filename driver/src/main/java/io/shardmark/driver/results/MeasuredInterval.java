package io.shardmark.driver.results;

/**
 * The measurement interval.
 *
 * @param rampUpSeconds before it
 * @param seconds its length
 * @param transactionsOutside ended before or after it; they are in no other figure
 */
public record MeasuredInterval(double rampUpSeconds, double seconds, long transactionsOutside) {
  static final MeasuredInterval NONE = new MeasuredInterval(0, 0, 0);
}
