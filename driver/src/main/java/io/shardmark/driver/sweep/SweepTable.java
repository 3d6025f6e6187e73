package io.shardmark.driver.sweep;

import io.shardmark.driver.sweep.PointRecord.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a sweep has done, as lines. */
final class SweepTable {
  private SweepTable() {}

  static List<String> lines(List<PointRecord> points) {
    int width =
        points.stream().mapToInt(record -> record.point().database().length()).max().orElse(0);
    String database = "%-" + Math.max(width, "database".length()) + "s";
    FigureNames names = FigureNames.of(points);
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            database + " %9s %10s %4s %12s %12s %16s %16s  %s",
            "database",
            "terminals",
            "warehouses",
            "rep",
            names.metric(),
            names.perMinute(),
            names.p90() + " ms",
            "all types p99 ms",
            "state"));
    for (PointRecord record : points) {
      lines.add(line(database, record));
    }
    return lines;
  }

  private static String line(String database, PointRecord record) {
    Point point = record.point();
    Outcome outcome = record.outcome();
    PointFigures figures = outcome == null ? null : outcome.figures();
    String state = record.state().name().toLowerCase(Locale.ROOT);
    if (outcome != null && !outcome.why().isEmpty()) {
      state += ": " + outcome.why();
    }
    return String.format(
            Locale.ROOT,
            database + " %9d %10s %4d %12s %12s %16s %16s  %s",
            point.database(),
            point.terminals(),
            point.warehouses() == 0 ? "" : Integer.toString(point.warehouses()),
            point.repetition(),
            figures == null ? "" : SearchReport.number(figures.metric().value()),
            figures == null ? "" : SearchReport.number(figures.tpmTotal()),
            figures == null ? "" : SearchReport.millis(figures.p90()),
            figures == null ? "" : SearchReport.millis(figures.latency().p99()),
            state)
        .stripTrailing();
  }
}
