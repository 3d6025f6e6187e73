package io.shardmark.driver.results;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures as sentences and tables have them: three significant digits. */
public final class Texts {
  public static final String NONE = "–";

  private static final MathContext DIGITS = new MathContext(3, RoundingMode.HALF_UP);

  private Texts() {}

  /** With a point in numbers, wherever it runs. */
  public static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  public static String count(long count) {
    return text("%,d", count);
  }

  /** The nearest whole number. */
  public static String count(double value) {
    return count(Math.round(value));
  }

  public static String plural(long count, String one, String many) {
    return count(count) + " " + (count == 1 ? one : many);
  }

  /** A dash for what is no finite number. */
  public static String number(double value) {
    if (!Double.isFinite(value)) {
      return NONE;
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }

  /**
   * A number with as few digits as show on which side of another it is, thousands apart.
   *
   * @param digits at least so many that count
   * @param most at most
   */
  public static String apart(double value, double other, int digits, int most) {
    if (!Double.isFinite(value)) {
      return NONE;
    }
    int least = Math.max(digits, String.valueOf(Math.round(Math.abs(value))).length());
    BigDecimal exact = new BigDecimal(value);
    BigDecimal shown = exact;
    for (int i = least; i <= Math.max(least, most); i++) {
      shown = exact.round(new MathContext(i, RoundingMode.HALF_UP));
      if (Integer.signum(Double.compare(shown.doubleValue(), other))
          == Integer.signum(Double.compare(value, other))) {
        break;
      }
    }
    BigDecimal plain = shown.stripTrailingZeros();
    return plain.signum() == 0 ? "0" : text("%,." + Math.max(0, plain.scale()) + "f", plain);
  }

  /** Three digits that count, or all of a larger number's; a dash for what is no number. */
  public static String three(double value) {
    return Double.isFinite(value) && Math.abs(value) >= 999.5 ? count(value) : number(value);
  }

  /** {@link #three}; a dash for what is not known. */
  public static String known(@Nullable Double value) {
    return value == null ? NONE : three(value);
  }

  /**
   * @param share 0 .. 1
   */
  public static String percent(double share) {
    return number(100 * share) + " %";
  }

  /** As BenchmarkSQL writes rates: two decimals, cut before they come here. */
  public static String exactRate(double perMinute) {
    return text("%,.2f", perMinute);
  }

  /** As BenchmarkSQL writes shares. */
  public static String exactPercent(@Nullable Double percent) {
    return percent == null ? NONE : text("%.3f %%", percent);
  }

  /** In seconds, without the unit, which the head of the column has. */
  public static String millisAsSeconds(double millis) {
    return text("%.3f", millis / 1000);
  }

  public static String seconds(double seconds) {
    return number(seconds) + " s";
  }

  /** A latency with the unit that suits it. */
  public static String latency(double millis) {
    return millis >= 10_000 ? three(millis / 1000) + " s" : three(millis) + " ms";
  }

  /** {@code 2 min 5 s}. */
  public static String duration(double seconds) {
    long whole = Math.round(seconds);
    if (seconds < 59.95) {
      return text(seconds == Math.rint(seconds) ? "%.0f s" : "%.1f s", seconds);
    }
    String text = whole >= 3600 ? whole / 3600 + " h " : "";
    long minutes = whole / 60 % 60;
    text += minutes > 0 ? minutes + " min " : "";
    return (text + (whole % 60 > 0 ? whole % 60 + " s" : "")).strip();
  }

  public static String bytes(double bytes) {
    String[] units = {"B", "KB", "MB", "GB", "TB", "PB"};
    double value = bytes;
    int unit = 0;
    while (Math.abs(value) >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return Double.isFinite(value) ? three(value) + " " + units[unit] : NONE;
  }

  /** The smallest and the largest; empty without any. */
  public static String range(List<Double> values, String unit) {
    DoubleSummaryStatistics known =
        values.stream()
            .filter(value -> !value.isNaN())
            .mapToDouble(Double::doubleValue)
            .summaryStatistics();
    return known.getCount() == 0
        ? ""
        : "%s to %s %s".formatted(three(known.getMin()), three(known.getMax()), unit);
  }

  /** With a capital letter and a full stop; a key and its value stay as they are. */
  public static String sentence(String text) {
    boolean key = text.matches("\\w+=.*");
    return (key ? text : upperFirst(text)) + (text.endsWith(".") ? "" : ".");
  }

  /** The same with a capital letter at its beginning. */
  public static String upperFirst(String text) {
    return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
