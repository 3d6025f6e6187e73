package io.shardmark.driver.report.html;

import io.shardmark.driver.report.LatencyBreakdown.LatencyFigures;
import io.shardmark.driver.report.html.Page.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Latencies in ms, a row for each thing measured; digits stand below digits. */
final class LatencyTable {
  private static final List<ToDoubleFunction<LatencyFigures>> FIGURES =
      List.of(
          LatencyFigures::mean,
          LatencyFigures::p50,
          LatencyFigures::p90,
          LatencyFigures::p95,
          LatencyFigures::p99,
          LatencyFigures::p999,
          LatencyFigures::max);

  private enum Style {
    ROW,
    PART,
    TOTAL
  }

  private record Row(Style style, String name, LatencyFigures figures) {}

  private final String caption;
  private final String first;
  private final List<Row> rows = new ArrayList<>();

  /**
   * A table without rows.
   *
   * @param first head of the first column
   */
  LatencyTable(String caption, String first) {
    this.caption = caption;
    this.first = first;
  }

  void row(String name, LatencyFigures figures) {
    rows.add(new Row(Style.ROW, name, figures));
  }

  /** A part of the row above. */
  void part(String name, LatencyFigures figures) {
    rows.add(new Row(Style.PART, name, figures));
  }

  /** The sums under the others. */
  void total(String name, LatencyFigures figures) {
    rows.add(new Row(Style.TOTAL, name, figures));
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  Table build() {
    TableBuilder table =
        new TableBuilder(caption)
            .text(first)
            .number("Count", "Mean", "p50", "p90", "p95", "p99", "p99.9", "Maximum");
    List<List<String>> columns = FIGURES.stream().map(this::column).toList();
    for (int i = 0; i < rows.size(); i++) {
      int at = i;
      List<String> cells = new ArrayList<>();
      cells.add(rows.get(i).name());
      cells.add(Texts.count(rows.get(i).figures().count()));
      columns.forEach(column -> cells.add(column.get(at)));
      String[] texts = cells.toArray(String[]::new);
      switch (rows.get(i).style()) {
        case ROW -> table.row(texts);
        case PART -> table.part(texts);
        case TOTAL -> table.total(texts);
      }
    }
    return table.build();
  }

  private List<String> column(ToDoubleFunction<LatencyFigures> figure) {
    return Texts.millisColumn(
        rows.stream()
            .map(Row::figures)
            .map(figures -> figures.count() == 0 ? Double.NaN : figure.applyAsDouble(figures))
            .toList());
  }
}
