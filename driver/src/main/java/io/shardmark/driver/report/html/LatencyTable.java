package io.shardmark.driver.report.html;

import io.shardmark.driver.report.html.Page.Grade;
import io.shardmark.driver.report.html.Page.Table;
import io.shardmark.driver.results.Latency;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Latencies in ms, a row for each thing measured; digits stand below digits. */
final class LatencyTable {
  private static final List<ToDoubleFunction<Latency>> FIGURES =
      List.of(
          Latency::mean,
          Latency::p50,
          Latency::p90,
          Latency::p95,
          Latency::p99,
          Latency::p999,
          Latency::max);

  private enum Style {
    ROW,
    PART,
    TOTAL
  }

  private record Row(Style style, String name, Latency figures) {}

  private final String caption;
  private final String first;
  private final List<Row> rows = new ArrayList<>();

  /** By the index of the row. */
  private final Map<Integer, Limit> limits = new HashMap<>();

  private boolean limited;

  /**
   * A limit of the 90th percentile.
   *
   * @param met empty if the type did not occur
   */
  private record Limit(double millis, Optional<Boolean> met) {}

  /**
   * A table without rows.
   *
   * @param first head of the first column
   */
  LatencyTable(String caption, String first) {
    this.caption = caption;
    this.first = first;
  }

  /** Has columns for limits, the verdict at the end. */
  LatencyTable withLimits() {
    limited = true;
    return this;
  }

  /** The limit of the latest row. */
  void limit(double millis, Optional<Boolean> met) {
    limits.put(rows.size() - 1, new Limit(millis, met));
  }

  void row(String name, Latency figures) {
    rows.add(new Row(Style.ROW, name, figures));
  }

  /** A part of the row above. */
  void part(String name, Latency figures) {
    rows.add(new Row(Style.PART, name, figures));
  }

  /** The sums under the others. */
  void total(String name, Latency figures) {
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
    if (limited) {
      table.number("Limit of p90").text("Limit");
    }
    for (int i = 0; i < rows.size(); i++) {
      List<String> cells = new ArrayList<>();
      cells.add(rows.get(i).name());
      cells.add(Texts.count(rows.get(i).figures().count()));
      Latency figures = rows.get(i).figures();
      FIGURES.forEach(
          figure ->
              cells.add(
                  figures.count() == 0 ? Texts.NONE : Texts.three(figure.applyAsDouble(figures))));
      Optional<Limit> limit = Optional.ofNullable(limits.get(i));
      if (limited) {
        cells.add(limit.map(one -> Texts.three(one.millis())).orElse(""));
        cells.add(limit.map(one -> words(one.met())).orElse(""));
      }
      String[] texts = cells.toArray(String[]::new);
      switch (rows.get(i).style()) {
        case ROW -> table.row(texts);
        case PART -> table.part(texts);
        case TOTAL -> table.total(texts);
      }
      limit.ifPresent(one -> table.graded(grade(one.met())));
    }
    return table.build();
  }

  private static String words(Optional<Boolean> met) {
    return met.map(yes -> yes ? "met" : "not met").orElse("did not occur");
  }

  private static Grade grade(Optional<Boolean> met) {
    return met.map(yes -> yes ? Grade.PASS : Grade.FAIL).orElse(Grade.UNKNOWN);
  }
}
