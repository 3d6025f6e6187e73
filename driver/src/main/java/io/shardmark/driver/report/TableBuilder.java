package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Cell;
import io.shardmark.driver.report.Page.Column;
import io.shardmark.driver.report.Page.Grade;
import io.shardmark.driver.report.Page.Row;
import io.shardmark.driver.report.Page.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Builds a table row by row. Columns say how their cells stand. */
public final class TableBuilder {
  private static final String NUMBER = "number";
  private static final String TEXT = "text";
  private static final String PROSE = "prose";
  private static final String METER = "meter";

  private final String caption;
  private final List<Column> columns = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();

  public TableBuilder(String caption) {
    this.caption = caption;
  }

  public TableBuilder text(String... names) {
    return add(TEXT, names);
  }

  public TableBuilder number(String... names) {
    return add(NUMBER, names);
  }

  /** Columns whose cells may be long. */
  public TableBuilder prose(String... names) {
    return add(PROSE, names);
  }

  /** A column of bars: its cells come from {@link #meter(double)}, or are empty. */
  public TableBuilder meter(String name) {
    return add(METER, name);
  }

  /**
   * The cell of a bar.
   *
   * @param share 0 .. 1: how long it is
   */
  public static String meter(double share) {
    return String.format(Locale.ROOT, "%.1f", 100 * Math.max(0, Math.min(1, share)));
  }

  private TableBuilder add(String align, String... names) {
    for (String name : names) {
      columns.add(new Column(name, align));
    }
    return this;
  }

  public TableBuilder row(String... cells) {
    return styled("", cells);
  }

  /** The sums under the others. */
  public TableBuilder total(String... cells) {
    return styled("total", cells);
  }

  /** A part of the row above. */
  public TableBuilder part(String... cells) {
    return styled("part", cells);
  }

  private TableBuilder styled(String style, String... texts) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < texts.length; i++) {
      boolean isMeter = columns.get(i).align().equals(METER);
      cells.add(
          new Cell(
              columns.get(i).name(),
              isMeter ? "" : texts[i],
              columns.get(i).align(),
              "",
              isMeter ? texts[i] : ""));
    }
    rows.add(new Row(style, cells));
    return this;
  }

  /** Colours the last cell of the last row. */
  public TableBuilder graded(Grade grade) {
    Row last = rows.remove(rows.size() - 1);
    List<Cell> cells = new ArrayList<>(last.cells());
    Cell cell = cells.remove(cells.size() - 1);
    cells.add(new Cell(cell.column(), cell.text(), cell.align(), grade.style(), cell.meter()));
    rows.add(new Row(last.style(), cells));
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  public Table build() {
    return new Table(caption, List.copyOf(columns), List.copyOf(rows));
  }
}
