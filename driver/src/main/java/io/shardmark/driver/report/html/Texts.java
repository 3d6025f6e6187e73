package io.shardmark.driver.report.html;

import java.util.Locale;
import java.util.OptionalDouble;

/** Numbers as readers see them. */
public final class Texts {
  public static final String NONE = "–";

  private Texts() {}

  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** As BenchmarkSQL writes rates: two decimals, cut before they come here. */
  public static String rate(double perMinute) {
    return String.format(Locale.ROOT, "%,.2f", perMinute);
  }

  public static String percent(double percent) {
    return String.format(Locale.ROOT, "%.3f %%", percent);
  }

  public static String percent(OptionalDouble percent) {
    return percent.isPresent() ? percent(percent.getAsDouble()) : NONE;
  }

  /** A share of 0 to 1 with one decimal. */
  public static String share(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  public static String seconds(OptionalDouble millis) {
    return millis.isPresent()
        ? String.format(Locale.ROOT, "%.3f s", millis.getAsDouble() / 1000)
        : NONE;
  }

  /** Three or four digits that count. */
  public static String millis(double millis) {
    int decimals = millis >= 1000 ? 0 : millis >= 100 ? 1 : millis >= 10 ? 2 : 3;
    return String.format(Locale.ROOT, "%,." + decimals + "f", millis);
  }

  /** A latency with the unit that suits it. */
  public static String latency(double millis) {
    return millis >= 10_000
        ? String.format(Locale.ROOT, "%,.1f s", millis / 1000)
        : millis(millis) + " ms";
  }

  public static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return String.format(Locale.ROOT, "%,d", (long) value);
    }
    return String.format(Locale.ROOT, Math.abs(value) < 1 ? "%.4f" : "%,.2f", value);
  }

  public static String bytes(double bytes) {
    String[] units = {"B", "KB", "MB", "GB", "TB", "PB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  }

  /** {@code 2 min 5 s}. */
  public static String duration(double seconds) {
    long whole = Math.round(seconds);
    if (seconds < 60) {
      return String.format(
          Locale.ROOT, seconds == Math.rint(seconds) ? "%.0f s" : "%.1f s", seconds);
    }
    String text = whole >= 3600 ? whole / 3600 + " h " : "";
    long minutes = whole / 60 % 60;
    text += minutes > 0 ? minutes + " min " : "";
    return (text + (whole % 60 > 0 ? whole % 60 + " s" : "")).strip();
  }

  public static String plural(long count, String one, String many) {
    return count(count) + " " + (count == 1 ? one : many);
  }
}
