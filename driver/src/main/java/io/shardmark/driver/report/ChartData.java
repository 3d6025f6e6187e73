package io.shardmark.driver.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.driver.report.Page.Chart;
import io.shardmark.driver.results.reader.HeatMap;
import io.shardmark.driver.results.reader.LatencyDistribution.CurvePoint;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/** Builds the data of one chart in the form that {@code report.js} draws. */
public final class ChartData {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** More digits than a chart shows would only make the page longer. */
  private static final MathContext DIGITS = new MathContext(5);

  private final ObjectNode root = MAPPER.createObjectNode();
  private ArrayNode series;

  private ChartData(String kind, String unit) {
    root.put("kind", kind).put("unit", unit);
    series = MAPPER.createArrayNode();
    root.set("series", series);
  }

  /**
   * Lines over time.
   *
   * @param widthSeconds of a bucket
   * @param seconds where the axis ends
   */
  public static ChartData time(String unit, double widthSeconds, double seconds) {
    ChartData chart = new ChartData("time", unit);
    chart.root.put("width", widthSeconds).put("seconds", seconds);
    return chart;
  }

  /** Latency over 1/(1-p), both logarithmic. */
  public static ChartData curve(String unit) {
    return new ChartData("curve", unit);
  }

  /** Bars at named steps. */
  public static ChartData steps(String unit, List<String> steps) {
    ChartData chart = new ChartData("steps", unit);
    ArrayNode names = chart.root.putArray("steps");
    steps.forEach(names::add);
    return chart;
  }

  /**
   * Lines over named steps.
   *
   * @param axis what the steps are
   */
  public static ChartData lines(String unit, String axis, List<String> steps) {
    ChartData chart = new ChartData("lines", unit);
    chart.root.put("axis", axis);
    ArrayNode names = chart.root.putArray("steps");
    steps.forEach(names::add);
    return chart;
  }

  public static ChartData heat(String unit, HeatMap map) {
    ChartData chart = new ChartData("heat", unit);
    chart.root.put("width", map.columnSeconds()).put("columns", map.columns());
    ArrayNode edges = chart.root.putArray("edges");
    map.edgesMillis().forEach(edge -> add(edges, edge));
    ArrayNode cells = chart.root.putArray("cells");
    map.cells()
        .forEach(cell -> cells.addArray().add(cell.column()).add(cell.band()).add(cell.count()));
    return chart;
  }

  /** Areas on top of each other, up to a maximum. */
  public ChartData stackedUpTo(double max) {
    root.put("stack", true).put("max", max);
    return this;
  }

  /** The value axis ends here. */
  public ChartData upTo(double max) {
    root.put("max", max);
    return this;
  }

  /** Shown only after a click on its name. */
  public ChartData hidden(String name) {
    root.put("hidden", name);
    return this;
  }

  /** A thin line at the mean of each series. */
  public ChartData means() {
    root.put("means", true);
    return this;
  }

  /** A line of the series' colour where its values come near this limit. */
  public ChartData limit(String key, double value) {
    root.withObject("/limits").put(key, value);
    return this;
  }

  /** Values that were read every so often: a bucket without one is no gap. */
  public ChartData sampled() {
    root.put("sampled", true);
    return this;
  }

  /** What follows belongs to a view that readers can choose. */
  public ChartData view(String name) {
    ArrayNode views = root.withArray("views");
    series = views.addObject().put("name", name).putArray("series");
    return this;
  }

  /**
   * Buttons of several rows, one choice in each; the views follow in the order in which the last
   * row changes first.
   */
  public ChartData choices(String name, List<String> options) {
    ObjectNode row = root.withArray("choices").addObject().put("name", name);
    ArrayNode texts = row.putArray("options");
    options.forEach(texts::add);
    return this;
  }

  /**
   * Lines of which one looks at changes: bands around them, and an axis that need not begin at 0.
   */
  public ChartData history() {
    root.put("history", true);
    return this;
  }

  /** Points of the last line that stand out, by the index of their step. */
  public ChartData marked(List<Integer> steps) {
    ArrayNode marked = ((ObjectNode) series.get(series.size() - 1)).putArray("marked");
    steps.forEach(marked::add);
    return this;
  }

  /** A line across the chart at a value. */
  public ChartData mark(double value) {
    root.put("mark", value);
    return this;
  }

  /** The view that is shown first, from 0. */
  public ChartData firstView(int index) {
    root.put("view", index);
    return this;
  }

  /**
   * A line or a row of bars.
   *
   * @param key decides the colour if it is a transaction type or {@code total}
   */
  public ChartData series(String key, String name, List<Double> values) {
    ArrayNode array = series.addObject().put("name", name).put("key", key).putArray("values");
    values.forEach(value -> add(array, value));
    return this;
  }

  /**
   * A line with what is around its points.
   *
   * @param line its values; NaN where there is none
   * @param dashed whether it was taken from others
   */
  public ChartData line(String key, String name, Line line, boolean dashed) {
    series(key, name, line.values());
    ObjectNode one = (ObjectNode) series.get(series.size() - 1);
    if (dashed) {
      one.put("dashed", true);
    }
    if (line.low().stream().anyMatch(Double::isFinite)) {
      ArrayNode low = one.putArray("low");
      line.low().forEach(value -> add(low, value));
      ArrayNode high = one.putArray("high");
      line.high().forEach(value -> add(high, value));
    }
    if (line.dots().stream().anyMatch(dots -> dots.size() > 1)) {
      ArrayNode dots = one.putArray("dots");
      for (List<Double> step : line.dots()) {
        ArrayNode values = dots.addArray();
        step.forEach(value -> add(values, value));
      }
    }
    return this;
  }

  /**
   * Values of a line, one for each step; NaN and empty lists where there is none.
   *
   * @param values of the line
   * @param low lower ends of intervals
   * @param high upper ends of intervals
   * @param dots single measurements that a value stands for
   */
  public record Line(
      List<Double> values, List<Double> low, List<Double> high, List<List<Double>> dots) {}

  public ChartData curve(String key, String name, List<CurvePoint> points) {
    ArrayNode array = series.addObject().put("name", name).put("key", key).putArray("points");
    for (CurvePoint point : points) {
      ArrayNode pair = array.addArray();
      add(pair, point.oneIn());
      add(pair, point.millis());
    }
    return this;
  }

  private static void add(ArrayNode array, double value) {
    if (!Double.isFinite(value)) {
      array.addNull();
    } else if (value == Math.rint(value) && Math.abs(value) < 1e9) {
      array.add((long) value);
    } else {
      array.add(new BigDecimal(value).round(DIGITS));
    }
  }

  public Chart build(String id, String title, String size, String note) {
    try {
      // Inside of a script element only "<" could end it or begin a comment.
      String json = MAPPER.writeValueAsString(root).replace("<", "\\u003c");
      return new Chart(id, title, size, note, json);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e); // a tree of plain values can always be written
    }
  }
}
