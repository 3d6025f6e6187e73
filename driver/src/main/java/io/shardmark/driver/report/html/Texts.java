package io.shardmark.driver.report.html;

import io.shardmark.driver.report.estimate.Interval;
import io.shardmark.driver.verdict.Figures;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

  /** In seconds, without the unit, which the head of the column has. */
  public static String seconds(OptionalDouble millis) {
    return millis.isPresent()
        ? String.format(Locale.ROOT, "%.3f", millis.getAsDouble() / 1000)
        : NONE;
  }

  /** Three or four digits that count. */
  public static String millis(double millis) {
    return fixed(millis, decimals(millis));
  }

  private static int decimals(double millis) {
    return millis >= 1000 ? 0 : millis >= 100 ? 1 : millis >= 10 ? 2 : 3;
  }

  private static String fixed(double value, int decimals) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  /**
   * The same digits behind the point for a whole column: as many as the smallest value needs and
   * the largest one bears.
   *
   * @param values NaN where there is none
   */
  public static List<String> millisColumn(List<Double> values) {
    double smallest = values.stream().filter(v -> v > 0).min(Double::compare).orElse(1000.0);
    double largest = values.stream().filter(v -> v > 0).max(Double::compare).orElse(0.0);
    int borne = largest >= 10_000 ? 1 : largest >= 1000 ? 2 : 3;
    int decimals = Math.min(decimals(smallest), borne);
    return values.stream().map(v -> v.isNaN() ? NONE : fixed(v, decimals)).toList();
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

  /** The smallest and the largest; empty without any. */
  static String range(List<Double> values, String unit) {
    DoubleSummaryStatistics known =
        values.stream()
            .filter(value -> !value.isNaN())
            .mapToDouble(Double::doubleValue)
            .summaryStatistics();
    return known.getCount() == 0
        ? ""
        : "%s to %s %s".formatted(three(known.getMin()), three(known.getMax()), unit);
  }

  /** What an interval leaves open, as the note of a figure. */
  static String interval(Optional<Interval> interval) {
    return interval.isEmpty()
        ? "too few parts for an interval"
        : "95 %%: %s to %s".formatted(three(interval.get().low()), three(interval.get().high()));
  }

  /** Three digits that count, or all of a larger number's. */
  public static String three(double value) {
    return Math.abs(value) >= 1000 ? Figures.count(value) : Figures.number(value);
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
