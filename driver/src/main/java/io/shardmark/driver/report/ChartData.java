package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Chart;
import io.shardmark.driver.results.EventResult;
import io.shardmark.driver.results.reader.HeatMap;
import io.shardmark.driver.results.reader.LatencyDistribution.CurvePoint;
import io.shardmark.driver.results.reader.SampledSeries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds the data of one chart in the form that {@code page.js} draws. */
public final class ChartData {
  private final Map<String, Object> root = new LinkedHashMap<>();
  private List<Map<String, Object>> series = new ArrayList<>();
  private boolean drawn;

  private ChartData(String kind, String unit) {
    with("kind", kind).with("unit", unit).with("series", series);
  }

  private ChartData with(String member, Object value) {
    root.put(member, value);
    return this;
  }

  /** The list of a member; empty at first. */
  @SuppressWarnings("unchecked") // only this method makes lists of that kind
  private List<Object> list(String member) {
    return (List<Object>) root.computeIfAbsent(member, key -> new ArrayList<>());
  }

  private record View(String name, List<Map<String, Object>> series) {}

  private record Choice(String name, List<String> options) {}

  /** Lines over time, in buckets of a width; the axis ends at so many seconds. */
  public static ChartData time(String unit, double widthSeconds, double seconds) {
    return new ChartData("time", unit).with("width", widthSeconds).with("seconds", seconds);
  }

  /** Values that were read every so often over that time: a bucket without one is no gap. */
  static ChartData sampled(String unit, SampledSeries values, double seconds) {
    return time(unit, values.widthSeconds(), seconds).with("sampled", true);
  }

  /** Latency over 1/(1-p), both logarithmic. */
  public static ChartData curve(String unit) {
    return new ChartData("curve", unit);
  }

  public static ChartData steps(String unit, List<String> steps) {
    return new ChartData("steps", unit).with("steps", steps);
  }

  /** Lines over named steps; the axis says what these are. */
  public static ChartData lines(String unit, String axis, List<String> steps) {
    return new ChartData("lines", unit).with("axis", axis).with("steps", steps);
  }

  static ChartData heat(String unit, HeatMap map) {
    ChartData chart = new ChartData("heat", unit);
    chart.drawn = map.columns() > 0;
    return chart
        .with("width", map.columnSeconds())
        .with("columns", map.columns())
        .with("edges", map.edgesMillis())
        .with(
            "cells",
            map.cells().stream()
                .map(cell -> List.of(cell.column(), cell.band(), cell.count()))
                .toList());
  }

  /** Areas on top of each other, up to a maximum. */
  public ChartData stackedUpTo(double max) {
    return with("stack", true).upTo(max);
  }

  public ChartData upTo(double max) {
    return with("max", max);
  }

  /** Shown only after a click on its name. */
  public ChartData hidden(String name) {
    return with("hidden", name);
  }

  /** A thin line at the mean of each series. */
  public ChartData means() {
    return with("means", true);
  }

  /** Lines of the colours of series, by their keys, where values come near these limits. */
  ChartData limits(Map<String, Double> ofKeys) {
    return ofKeys.isEmpty() ? this : with("limits", ofKeys);
  }

  /** Areas across the chart from the beginning of each event to its end. */
  ChartData events(List<EventResult> events) {
    events.forEach(
        event -> area(event.label(), event.atSeconds(), event.atSeconds() + event.seconds()));
    return this;
  }

  /** An area across the chart, from one second to another. */
  public ChartData area(String name, double from, double to) {
    list("events").add(Map.of("name", name, "from", from, "to", to));
    return this;
  }

  /** What follows belongs to a view that readers can choose. */
  public ChartData view(String name) {
    series = new ArrayList<>();
    list("views").add(new View(name, series));
    return this;
  }

  /**
   * Buttons of several rows, one choice in each; the views follow in the order in which the last
   * row changes first.
   */
  public ChartData choices(String name, List<String> options) {
    list("choices").add(new Choice(name, options));
    return this;
  }

  /**
   * Lines of which one looks at changes: bands around them, and an axis that need not begin at 0.
   */
  public ChartData history() {
    return with("history", true);
  }

  /** Points of the last line that are highlighted, by the index of their step. */
  public ChartData marked(List<Integer> steps) {
    last().put("marked", steps);
    return this;
  }

  /** A line across the chart at a value. */
  public ChartData mark(double value) {
    return with("mark", value);
  }

  public ChartData firstView(int index) {
    return with("view", index);
  }

  /** A line or a row of bars; a key that is a transaction type or {@code total} is its colour. */
  public ChartData series(String key, String name, List<Double> values) {
    return add(key, name, "values", values);
  }

  private ChartData add(String key, String name, String member, Object values) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("name", name);
    one.put("key", key);
    one.put(member, values);
    series.add(one);
    drawn = true;
    return this;
  }

  private Map<String, Object> last() {
    return series.get(series.size() - 1);
  }

  /** A line with what is around its points; dashed if it was taken from others. */
  public ChartData line(String key, String name, ChartLine line, boolean dashed) {
    series(key, name, line.values());
    if (dashed) {
      last().put("dashed", true);
    }
    if (line.low().stream().anyMatch(Double::isFinite)) {
      last().put("low", line.low());
      last().put("high", line.high());
    }
    if (line.dots().stream().anyMatch(dots -> dots.size() > 1)) {
      last().put("dots", line.dots());
    }
    return this;
  }

  /**
   * Values of a line, one for each step; NaN and empty lists where there is none.
   *
   * @param values of the line
   * @param low lower ends of intervals
   * @param high upper ends of intervals
   * @param dots single measurements that a value represents
   */
  public record ChartLine(
      List<Double> values, List<Double> low, List<Double> high, List<List<Double>> dots) {}

  public ChartData curve(String key, String name, List<CurvePoint> points) {
    return add(
        key,
        name,
        "points",
        points.stream().map(point -> List.of(point.oneIn(), point.millis())).toList());
  }

  /** The chart; one of nothing is not shown. */
  public Chart build(String id, String title, String size, String note) {
    return new Chart(id, title, size, note, drawn ? root : Map.of());
  }
}
