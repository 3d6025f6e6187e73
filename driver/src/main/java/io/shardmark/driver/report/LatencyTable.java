package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Grade;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Latencies in ms, a row for each thing measured; digits stand below digits. */
final class LatencyTable {
  private final TableBuilder table;
  private boolean limited;

  /**
   * A table without rows.
   *
   * @param first head of the first column
   */
  LatencyTable(String caption, String first) {
    table =
        new TableBuilder(caption)
            .text(first)
            .number("Count", "Mean", "p50", "p90", "p95", "p99", "p99.9", "Maximum");
  }

  /** Has columns for limits, the verdict at the end. Before the first row. */
  void addLimits() {
    limited = true;
    table.number("Limit of p90").text("Limit");
  }

  void row(String name, Latency figures) {
    table.row(cells(name, figures, "", ""));
  }

  /**
   * A row with a limit of the 90th percentile.
   *
   * @param met empty if the type did not occur
   */
  void row(String name, Latency figures, double limitMillis, Optional<Boolean> met) {
    String words = met.map(yes -> yes ? "met" : "not met").orElse("did not occur");
    table
        .row(cells(name, figures, Texts.three(limitMillis), words))
        .graded(met.map(yes -> yes ? Grade.PASS : Grade.FAIL).orElse(Grade.UNKNOWN));
  }

  /** A part of the row above. */
  void part(String name, Latency figures) {
    table.part(cells(name, figures, "", ""));
  }

  /** The sums under the others. */
  void total(String name, Latency figures) {
    table.total(cells(name, figures, "", ""));
  }

  private String[] cells(String name, Latency figures, String... limit) {
    List<String> cells = new ArrayList<>(List.of(name, Texts.count(figures.count())));
    for (LatencyFigure figure : LatencyFigure.values()) {
      cells.add(figures.count() == 0 ? Texts.NONE : Texts.three(figure.of(figures)));
    }
    if (limited) {
      cells.addAll(List.of(limit));
    }
    return cells.toArray(String[]::new);
  }

  boolean isEmpty() {
    return table.isEmpty();
  }

  Table build() {
    return table.build();
  }
}
