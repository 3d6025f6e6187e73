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
  static String exactRate(double perMinute) {
    return String.format(Locale.ROOT, "%,.2f", perMinute);
  }

  /** As BenchmarkSQL writes shares. */
  static String exactPercent(OptionalDouble percent) {
    return percent.isPresent()
        ? String.format(Locale.ROOT, "%.3f %%", percent.getAsDouble())
        : NONE;
  }

  /** In seconds, without the unit, which the head of the column has. */
  public static String seconds(OptionalDouble millis) {
    return millis.isPresent()
        ? String.format(Locale.ROOT, "%.3f", millis.getAsDouble() / 1000)
        : NONE;
  }

  /** A latency with the unit that suits it. */
  public static String latency(double millis) {
    return millis >= 10_000 ? three(millis / 1000) + " s" : three(millis) + " ms";
  }

  public static String bytes(double bytes) {
    String[] units = {"B", "KB", "MB", "GB", "TB", "PB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return three(value) + " " + units[unit];
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

  /** Three digits that count, or all of a larger number's; a dash for NaN. */
  public static String three(double value) {
    if (Double.isNaN(value)) {
      return NONE;
    }
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

  /** The same with a capital letter at its beginning. */
  public static String upperFirst(String text) {
    return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
