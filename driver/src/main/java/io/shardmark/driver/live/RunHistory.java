package io.shardmark.driver.live;

import java.util.Arrays;
import java.util.List;

/**
 * Figures over the run so far, in at most {@link #MAX_POINTS} points. A longer run has wider
 * points: when they are full, each two become one. One thread adds, any thread reads.
 */
final class RunHistory {
  /** As many as a report's chart has. */
  static final int MAX_POINTS = 600;

  /** What a wider point shows of the seconds in it. */
  enum Merge {
    /** Rates and levels. */
    MEAN,
    /** Latencies: percentiles cannot be averaged, so it is the worst second's. */
    HIGHEST
  }

  private final Merge[] merges;
  private final double[][] points;
  private final double[] open;

  /** In how many of the seconds of the open point each figure is known. */
  private final int[] known;

  private int secondsInOpen;
  private int width = 1;
  private int size;
  private long firstSecond;

  /**
   * A part of it.
   *
   * @param firstSecond start of the first of all points, in seconds from the start of the
   *     measurement interval
   * @param width of each point in seconds
   * @param from index of the first point in this part
   * @param columns the values of these points, by column; NaN where none is known
   */
  record HistoryPart(long firstSecond, int width, int from, List<double[]> columns) {
    int size() {
      return columns.isEmpty() ? 0 : columns.get(0).length;
    }
  }

  RunHistory(List<Merge> merges) {
    this.merges = merges.toArray(Merge[]::new);
    this.points = new double[this.merges.length][MAX_POINTS];
    this.open = new double[this.merges.length];
    this.known = new int[this.merges.length];
  }

  /** So many seconds up to this one of which nothing is known. */
  synchronized void skip(long second, int seconds) {
    double[] unknown = new double[open.length];
    Arrays.fill(unknown, Double.NaN);
    for (long next = second - seconds + 1; next <= second; next++) {
      add(next, unknown);
    }
  }

  /**
   * @param second the next one; a ramp-up that ends early gives all seconds greater numbers
   * @param values of all columns; NaN for what this second does not have
   */
  synchronized void add(long second, double[] values) {
    firstSecond = second - secondsInOpen - (long) size * width;
    for (int column = 0; column < open.length; column++) {
      if (!Double.isNaN(values[column])) {
        known[column]++;
        open[column] =
            switch (merges[column]) {
              case MEAN -> open[column] + values[column];
              case HIGHEST -> Math.max(open[column], values[column]);
            };
      }
    }
    secondsInOpen++;
    if (secondsInOpen == width) {
      close();
    }
  }

  private void close() {
    for (int column = 0; column < open.length; column++) {
      points[column][size] =
          known[column] == 0
              ? Double.NaN
              : merges[column] == Merge.MEAN ? open[column] / known[column] : open[column];
    }
    Arrays.fill(open, 0);
    Arrays.fill(known, 0);
    secondsInOpen = 0;
    size++;
    if (size == MAX_POINTS) {
      for (int column = 0; column < points.length; column++) {
        halve(points[column], merges[column]);
      }
      size /= 2;
      width *= 2;
    }
  }

  private static void halve(double[] values, Merge merge) {
    for (int i = 0; i < MAX_POINTS / 2; i++) {
      double one = values[2 * i];
      double other = values[2 * i + 1];
      values[i] =
          Double.isNaN(one)
              ? other
              : Double.isNaN(other)
                  ? one
                  : merge == Merge.MEAN ? (one + other) / 2 : Math.max(one, other);
    }
  }

  /**
   * What came after a reader's last look.
   *
   * @param knownWidth of the points that the reader has; if they are wider now it gets all
   * @param from index of the first point that it has not
   */
  synchronized HistoryPart since(int knownWidth, int from) {
    int start = knownWidth == width ? Math.max(0, Math.min(from, size)) : 0;
    return new HistoryPart(
        firstSecond,
        width,
        start,
        Arrays.stream(points).map(column -> Arrays.copyOfRange(column, start, size)).toList());
  }
}
