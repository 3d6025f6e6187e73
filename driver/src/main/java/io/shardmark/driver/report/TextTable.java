package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Align;
import io.shardmark.driver.report.Page.Table;
import java.util.ArrayList;
import java.util.List;

/** A table as lines for the console, its columns aligned. */
public final class TextTable {
  private TextTable() {}

  public static List<String> lines(Table table) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(table.columns().stream().map(column -> column.name()).toList());
    table.rows().forEach(row -> rows.add(row.cells().stream().map(cell -> cell.text()).toList()));
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        int column = i;
        int width = rows.stream().mapToInt(one -> one.get(column).length()).max().orElse(1);
        String room = " ".repeat(width - row.get(i).length());
        boolean right = table.columns().get(i).align() == Align.NUMBER;
        line.append(right ? room + row.get(i) : row.get(i) + room).append("  ");
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
