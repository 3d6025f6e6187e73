package io.shardmark.driver.sweep;

import io.shardmark.driver.report.Columns;
import io.shardmark.driver.report.TextTable;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.Texts;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The runs of a sweep as tables, for the console and for Markdown. */
final class SweepTable {
  private SweepTable() {}

  /** Every point with its state, as lines. */
  static List<String> lines(List<PointRecord> points) {
    Columns<PointRecord> columns =
        new Columns<PointRecord>()
            .text("database", record -> record.point().database())
            .number("terminals", record -> Integer.toString(record.point().terminals()))
            .number("scale", record -> scale(record.point()))
            .number("rep", record -> Integer.toString(record.point().repetition()));
    return TextTable.lines(
        withFigures(columns, points, PointRecord::figures)
            .text("state", SweepTable::state)
            .knownOnly("", points));
  }

  private static String scale(Point point) {
    return point.scale() == 0 ? Texts.NONE : Integer.toString(point.scale());
  }

  private static String state(PointRecord record) {
    String state = record.state().name().toLowerCase(Locale.ROOT);
    return record.why().isEmpty() ? state : state + ": " + record.why();
  }

  /** Adds a column for each metric that any of the rows has, and those of latencies. */
  static <R> Columns<R> withFigures(
      Columns<R> columns, List<R> rows, Function<R, @Nullable PointFigures> of) {
    List<PointFigures> known = rows.stream().map(of).flatMap(Stream::ofNullable).toList();
    known.stream()
        .flatMap(figures -> figures.metrics().keySet().stream())
        .distinct()
        .forEach(name -> columns.number(name, row -> number(of.apply(row), name)));
    String type = known.stream().map(PointFigures::type).findFirst().orElse("");
    return columns
        .number(
            type + " p90 ms",
            row -> millis(of.apply(row), PointFigures::typeMillis, LatencyFigure.P90))
        .number(
            "p50 ms", row -> millis(of.apply(row), PointFigures::latencyMillis, LatencyFigure.P50))
        .number(
            "p99 ms", row -> millis(of.apply(row), PointFigures::latencyMillis, LatencyFigure.P99))
        .number(
            "max ms", row -> millis(of.apply(row), PointFigures::latencyMillis, LatencyFigure.MAX));
  }

  private static String number(@Nullable PointFigures figures, String metric) {
    return figures == null || !figures.metrics().containsKey(metric)
        ? Texts.NONE
        : number(figures.metrics().getOrDefault(metric, 0.0));
  }

  private static String millis(
      @Nullable PointFigures figures,
      Function<PointFigures, @Nullable Latency> of,
      LatencyFigure figure) {
    return Optional.ofNullable(figures)
        .map(of)
        .map(latency -> millis(figure, latency))
        .orElse(Texts.NONE);
  }

  static String number(double value) {
    return Texts.text("%.2f", value);
  }

  /** With a mark if it is a lower bound. */
  static String millis(LatencyFigure figure, Latency latency) {
    return (figure.isLowerBound(latency) ? "≥ " : "") + Texts.text("%.1f", figure.of(latency));
  }
}
