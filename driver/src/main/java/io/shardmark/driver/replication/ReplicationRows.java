package io.shardmark.driver.replication;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.shardmark.driver.benchmark.NumberedRows;
import io.shardmark.driver.benchmark.RowText;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.RowWriter;
import io.shardmark.sql.jdbc.FirstValue;
import java.util.Map;
import java.util.stream.IntStream;

/** The rows as inserts of a run would leave them, dealt to the lanes of each table. */
final class ReplicationRows {
  /** Whole transactions, of about so many rows. */
  private static final int UNIT_ROWS = 20_000;

  private ReplicationRows() {}

  static DataSet of(TableLayout layout) {
    int statements = layout.statements();
    String last = TableLayout.name(layout.tables() - 1);
    return new NumberedRows(
        size(layout, layout.rows()),
        Map.of(
            "tables", Integer.toString(layout.tables()),
            "rows", Integer.toString(layout.rows()),
            "statementsPerCommit", Integer.toString(statements),
            "textWidth", Integer.toString(layout.width())),
        "t",
        IntStream.range(0, layout.tables())
            .mapToObj(
                table ->
                    new NumberedRows.NumberedTable(table(TableLayout.name(table)), layout.rows()))
            .toList(),
        Math.max(1, UNIT_ROWS / statements) * statements,
        "Tables",
        connection -> size(layout, FirstValue.number(connection, "SELECT count(*) FROM " + last)),
        origin -> (range, out) -> write(layout, range, out));
  }

  /** c10 is left to its default, the day. */
  private static DataTable table(String name) {
    return DataTable.of(name, name + ".csv", "c1:i c2:t c3:i c4:t c5:t c6:t c7:t c8:t c9:i");
  }

  private static String size(TableLayout layout, long rows) {
    return "%d %s of %d rows"
        .formatted(layout.tables(), layout.tables() == 1 ? "table" : "tables", rows);
  }

  /** A range is of whole transactions. */
  private static void write(TableLayout layout, NumberedRows.Range range, RowWriter out) {
    int lanes = layout.lanesOf(range.part());
    for (int group = (range.first() - 1) / layout.statements();
        group < range.last() / layout.statements();
        group++) {
      int lane = range.part() + group % lanes * layout.tables();
      int first = group / lanes * layout.statements();
      for (int i = 0; i < layout.statements(); i++) {
        row(
            layout,
            TableLayout.id(lane, first + i),
            TableLayout.id(lane, first),
            first + i + 1,
            out);
      }
    }
  }

  private static void row(TableLayout layout, int id, int first, int ordinal, RowWriter out) {
    byte[] digits = RowText.digits(id).getBytes(US_ASCII);
    out.startRow();
    out.int32(id);
    out.text(digits, 0, digits.length);
    out.int32(first);
    for (int column = 4; column <= 6; column++) {
      byte[] text = layout.text(id, column).getBytes(US_ASCII);
      out.text(text, 0, text.length);
    }
    out.text(digits, 0, digits.length);
    out.text(digits, 0, digits.length);
    out.int32(ordinal);
  }
}
