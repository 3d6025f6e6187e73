package io.shardmark.driver.verdict;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Figures as the sentences of a verdict have them: three significant digits. */
public final class Figures {
  private static final MathContext DIGITS = new MathContext(3, RoundingMode.HALF_UP);

  private Figures() {}

  public static String count(double value) {
    return String.format(Locale.ROOT, "%,d", Math.round(value));
  }

  public static String number(double value) {
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }

  /**
   * @param share 0 .. 1
   */
  public static String percent(double share) {
    return number(100 * share) + " %";
  }

  public static String seconds(double seconds) {
    return number(seconds) + " s";
  }

  public static String millis(long nanos) {
    return number(nanos / 1e6) + " ms";
  }

  public static String plural(long count, String one, String many) {
    return count((double) count) + " " + (count == 1 ? one : many);
  }
}
