package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Align;
import io.shardmark.driver.report.Page.OnPhone;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table: what each is called, how its cells are aligned, and what it says of a
 * row.
 */
public final class Columns<R> {
  private record ColumnSource<R>(
      Page.PageColumn column,
      Function<R, String> text,
      Function<R, Page.@Nullable PageGrade> grade) {
    Page.PageCell cell(R row) {
      return new Page.PageCell(text.apply(row), grade.apply(row));
    }
  }

  private final List<ColumnSource<R>> columns = new ArrayList<>();
  private Function<R, String> style = row -> "";
  private OnPhone onPhone = OnPhone.STACKED;

  private Columns<R> add(Align align, String name, Function<R, String> cell) {
    columns.add(new ColumnSource<>(new Page.PageColumn(name, align), cell, row -> null));
    return this;
  }

  public Columns<R> text(String name, Function<R, String> cell) {
    return add(Align.TEXT, name, cell);
  }

  public Columns<R> number(String name, Function<R, String> cell) {
    return add(Align.NUMBER, name, cell);
  }

  /** A column whose cells may be long. */
  public Columns<R> prose(String name, Function<R, String> cell) {
    return add(Align.PROSE, name, cell);
  }

  /** A column of bars, 0 .. 1 long; null for none. */
  Columns<R> meter(Function<R, @Nullable Double> share) {
    return add(
        Align.METER,
        "",
        row -> {
          Double known = share.apply(row);
          return known == null ? "" : Texts.text("%.1f", 100 * Math.max(0, Math.min(1, known)));
        });
  }

  /** Colours the cells of the last column. */
  Columns<R> graded(Function<R, Page.@Nullable PageGrade> grade) {
    ColumnSource<R> last = columns.remove(columns.size() - 1);
    columns.add(new ColumnSource<>(last.column(), last.text(), grade));
    return this;
  }

  /** How a row is highlighted: a class of the style sheet, such as {@code total}. */
  public Columns<R> styled(Function<R, String> styleOfRow) {
    style = styleOfRow;
    return this;
  }

  /** A phone shows it as a table, however many columns it has. */
  public Columns<R> scrolled() {
    onPhone = OnPhone.SCROLLED;
    return this;
  }

  /** Columns of these figures in ms, of rows that may have none. */
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
  private static String millis(@Nullable Latency latency, LatencyFigure figure) {
    return latency == null ? Texts.NONE : figure.shown(latency);
  }

  public Table table(String caption, List<R> rows) {
    return table(caption, rows, columns);
  }

  /** Without the columns in which no row has anything but a dash. */
  public Table knownOnly(String caption, List<R> rows) {
    return table(
        caption,
        rows,
        columns.stream()
            .filter(one -> !rows.stream().map(one.text()).allMatch(Texts.NONE::equals))
            .toList());
  }

  private Table table(String caption, List<R> rows, List<ColumnSource<R>> shown) {
    return new Table(
        caption,
        shown.stream().map(ColumnSource::column).toList(),
        rows.stream()
            .map(
                row ->
                    new Page.PageRow(
                        style.apply(row), shown.stream().map(one -> one.cell(row)).toList()))
            .toList(),
        onPhone);
  }

  static Table pairs(String caption, Map<String, String> values) {
    return new Columns<Map.Entry<String, String>>()
        .text("Name", Map.Entry::getKey)
        .prose("Value", Map.Entry::getValue)
        .table(caption, List.copyOf(values.entrySet()));
  }
}
