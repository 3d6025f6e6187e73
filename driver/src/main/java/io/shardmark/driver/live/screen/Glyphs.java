package io.shardmark.driver.live.screen;

import java.util.Arrays;

/** Which characters a terminal can show. */
enum Glyphs {
  UNICODE("█", "░", " · ", " ▁▂▃▄▅▆▇█"),
  ASCII("#", ".", " | ", " .:-=+*#%");

  private final String full;
  private final String empty;
  private final String dot;
  private final String heights;

  Glyphs(String full, String empty, String dot, String heights) {
    this.full = full;
    this.empty = empty;
    this.dot = dot;
    this.heights = heights;
  }

  /** Separates two facts. */
  String dot() {
    return dot;
  }

  /**
   * A bar.
   *
   * @param share 0 .. 1 of it is full
   */
  String bar(double share, int width) {
    int filled = (int) Math.round(Math.max(0, Math.min(1, share)) * width);
    return full.repeat(filled) + empty.repeat(width - filled);
  }

  /**
   * A row of characters whose heights follow values, from 0 to their highest.
   *
   * @param values in order; if there are more than the width, each character is the mean of several
   * @param width in characters; the row is filled with blanks on the right
   */
  String curve(double[] values, int width) {
    double[] columns = values.length <= width ? values : means(values, width);
    double highest = Arrays.stream(columns).max().orElse(0);
    StringBuilder row = new StringBuilder(width);
    for (double value : columns) {
      // Anything above nothing is seen.
      int step =
          value <= 0 || highest <= 0
              ? 0
              : Math.max(1, (int) Math.round(value / highest * (heights.length() - 1)));
      row.append(heights.charAt(step));
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
