package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table: what each is called, how its cells stand, and what it says of a row.
 *
 * @param <R> what a row is made of
 */
public final class Columns<R> {
  private enum Kind {
    TEXT,
    NUMBER,
    PROSE
  }

  private record Column<R>(Kind kind, String name, Function<R, String> cell) {}

  private final List<Column<R>> columns = new ArrayList<>();

  public Columns<R> text(String name, Function<R, String> cell) {
    columns.add(new Column<>(Kind.TEXT, name, cell));
    return this;
  }

  public Columns<R> number(String name, Function<R, String> cell) {
    columns.add(new Column<>(Kind.NUMBER, name, cell));
    return this;
  }

  /** A column whose cells may be long. */
  public Columns<R> prose(String name, Function<R, String> cell) {
    columns.add(new Column<>(Kind.PROSE, name, cell));
    return this;
  }

  /**
   * Columns of these figures in ms.
   *
   * @param of latencies of a row; null without any
   */
  public Columns<R> latencies(Function<R, @Nullable Latency> of, List<LatencyFigure> figures) {
    for (LatencyFigure figure : figures) {
      String name = figure.text();
      number(
          name.startsWith("p") ? name : Texts.upperFirst(name),
          row -> millis(of.apply(row), figure));
    }
    return this;
  }

  /** With a mark if it is a lower bound; a dash without latencies. */
  static String millis(@Nullable Latency latency, LatencyFigure figure) {
    return latency == null
        ? Texts.NONE
        : (figure.isLowerBound(latency) ? "≥ " : "") + Texts.three(figure.of(latency));
  }

  /** The table of these rows. */
  public Table table(String caption, List<R> rows) {
    return table(caption, rows, columns);
  }

  /** The same without the columns in which no row has anything but a dash. */
  public Table knownOnly(String caption, List<R> rows) {
    return table(
        caption,
        rows,
        columns.stream()
            .filter(one -> !rows.stream().map(one.cell()).allMatch(Texts.NONE::equals))
            .toList());
  }

  private Table table(String caption, List<R> rows, List<Column<R>> shown) {
    TableBuilder table = new TableBuilder(caption);
    for (Column<R> column : shown) {
      switch (column.kind()) {
        case TEXT -> table.text(column.name());
        case NUMBER -> table.number(column.name());
        case PROSE -> table.prose(column.name());
      }
    }
    for (R row : rows) {
      table.row(shown.stream().map(column -> column.cell().apply(row)).toArray(String[]::new));
    }
    return table.build();
  }
}
