package io.shardmark.driver.script;

import java.util.SplittableRandom;

/**
 * Integers from a range by pgbench's distributions, whose parameters mean what its manual says
 * (PG16 pgbench, section Built-In Functions). The sequence of a seed is not pgbench's.
 */
final class Draws {
  /** Below it a truncated bell is hardly one. */
  private static final double LEAST_GAUSSIAN = 2;

  private static final double LEAST_ZIPFIAN = 1.001;
  private static final double MOST_ZIPFIAN = 1000;

  private Draws() {}

  static long uniform(SplittableRandom random, long low, long high) {
    return low + random.nextLong(size(low, high));
  }

  /** How many integers the range has. */
  private static long size(long low, long high) {
    if (low > high) {
      throw new ScriptException("the range from %d to %d is empty".formatted(low, high));
    }
    long size = high - low + 1;
    if (size <= 0) {
      throw new ScriptException("the range from %d to %d is too large".formatted(low, high));
    }
    return size;
  }

  /** An exponential distribution, cut off at the parameter and spread over the range. */
  static long exponential(SplittableRandom random, long low, long high, double parameter) {
    long size = size(low, high);
    if (!(parameter > 0)) {
      throw wrong("random_exponential", "a number above 0", parameter);
    }
    double least = Math.exp(-parameter);
    double uniform = 1 - random.nextDouble(); // above 0, at most 1
    return at(low, size, -Math.log(least + (1 - least) * uniform) / parameter);
  }

  /** A bell over the range, cut off at so many standard deviations on both sides. */
  static long gaussian(SplittableRandom random, long low, long high, double parameter) {
    long size = size(low, high);
    if (!(parameter >= LEAST_GAUSSIAN)) {
      throw wrong("random_gaussian", "a number from 2", parameter);
    }
    double deviation;
    do {
      deviation = random.nextGaussian();
    } while (deviation < -parameter || deviation >= parameter);
    return at(low, size, (deviation + parameter) / (2 * parameter));
  }

  /**
   * The k-th integer in proportion to 1 / k^parameter: by rejection (Devroye, Non-Uniform Random
   * Variate Generation, X.6.1).
   */
  static long zipfian(SplittableRandom random, long low, long high, double parameter) {
    long size = size(low, high);
    if (!(parameter >= LEAST_ZIPFIAN && parameter <= MOST_ZIPFIAN)) {
      throw wrong("random_zipfian", "a number from 1.001 to 1000", parameter);
    }
    double power = parameter - 1;
    double bound = Math.pow(2, power);
    while (true) {
      double rank = Math.floor(Math.pow(1 - random.nextDouble(), -1 / power));
      double step = Math.pow(1 + 1 / rank, power);
      double test = random.nextDouble() * rank * (step - 1) / (bound - 1);
      if (test <= step / bound && rank <= size) {
        return low + (long) rank - 1;
      }
    }
  }

  /** Rounding of the fraction must not leave the range. */
  private static long at(long low, long size, double fraction) {
    return low + Math.min(size - 1, (long) (size * fraction));
  }

  private static ScriptException wrong(String function, String expected, double found) {
    return new ScriptException(
        "%s: its parameter is %s, expected %s".formatted(function, found, expected));
  }
}
