package io.shardmark.driver.results;

/**
 * Times in which the driver's process did nothing at all though it had to: it was suspended, or got
 * no processor. What happened in them is no evidence of the system under test.
 *
 * @param seconds of the measurement interval, in sum
 * @param longestSeconds the longest; 0 without any
 * @param longestFrom when that began, in seconds since the start of the interval; below 0 if before
 */
public record HoldUps(double seconds, double longestSeconds, double longestFrom) {
  public static final HoldUps NONE = new HoldUps(0, 0, 0);
}
