package io.shardmark.driver.live.screen;

import java.util.Arrays;

/** A row of characters whose heights follow values. Pure. */
final class Sparkline {
  private static final String BLOCKS = " ▁▂▃▄▅▆▇█";
  private static final String ASCII = " .:-=+*#%";

  private Sparkline() {}

  /**
   * Draws values from 0 to their highest.
   *
   * @param values in order; if there are more than the width, each character is the mean of several
   * @param width in characters; the row is filled with blanks on the right
   */
  static String of(double[] values, int width, Glyphs glyphs) {
    double[] columns = values.length <= width ? values : means(values, width);
    double highest = Arrays.stream(columns).max().orElse(0);
    String steps = glyphs == Glyphs.UNICODE ? BLOCKS : ASCII;
    StringBuilder row = new StringBuilder(width);
    for (double value : columns) {
      // Anything above nothing is seen.
      int step =
          value <= 0 || highest <= 0
              ? 0
              : Math.max(1, (int) Math.round(value / highest * (steps.length() - 1)));
      row.append(steps.charAt(step));
    }
    return row.append(" ".repeat(Math.max(0, width - columns.length))).toString();
  }

  private static double[] means(double[] values, int width) {
    double[] means = new double[width];
    for (int column = 0; column < width; column++) {
      int from = (int) ((long) column * values.length / width);
      int to = (int) ((long) (column + 1) * values.length / width);
      means[column] = Arrays.stream(values, from, to).average().orElse(0);
    }
    return means;
  }
}
