package io.shardmark.driver.results.reader;

import java.util.List;

/**
 * How many transactions ended when with which latency.
 *
 * @param columnSeconds width of a column; the first begins with the interval
 * @param columns how many
 * @param edgesMillis lower ends of the bands, ascending; the last band is open
 * @param cells those that are not empty
 */
public record HeatMap(
    double columnSeconds, int columns, List<Double> edgesMillis, List<HeatCell> cells) {
  static final HeatMap NONE = new HeatMap(1, 0, List.of(), List.of());

  public HeatMap {
    edgesMillis = List.copyOf(edgesMillis);
    cells = List.copyOf(cells);
  }

  /**
   * @param column from 0
   * @param band from 0
   * @param count transactions, at least 1
   */
  public record HeatCell(int column, int band, long count) {}
}
