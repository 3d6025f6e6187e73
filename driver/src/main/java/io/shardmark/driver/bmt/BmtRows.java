package io.shardmark.driver.bmt;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.shardmark.driver.benchmark.NumberedRows;
import io.shardmark.driver.benchmark.RowText;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.RowWriter;
import io.shardmark.sql.jdbc.FirstValue;
import java.util.List;
import java.util.Map;

/** The rows as the inserts of a run would leave them. */
final class BmtRows {
  private static final int UNIT_ROWS = 10_000;
  private static final int TEXT_WIDTH = 500;

  /** The columns of texts: c2 and c4 to c8. */
  static final int TEXTS = 6;

  private static final RowText TEXT = new RowText(8192);

  /** c10 is left to its default, the day. */
  private static final DataTable TABLE =
      DataTable.of("tb_test1", "tb_test1.csv", "c1:i c2:t c3:i c4:t c5:t c6:t c7:t c8:t c9:i");

  private BmtRows() {}

  /**
   * @param statements rows of a transaction
   */
  static DataSet of(int rows, int statements) {
    return new NumberedRows(
        rows + " rows",
        Map.of("rows", Integer.toString(rows), "statementsPerCommit", Integer.toString(statements)),
        TABLE.name(),
        List.of(new NumberedRows.NumberedTable(TABLE, rows)),
        UNIT_ROWS,
        "Rows",
        connection -> FirstValue.number(connection, "SELECT count(*) FROM tb_test1") + " rows",
        origin -> (range, out) -> write(range, statements, out));
  }

  private static void write(NumberedRows.Range range, int statements, RowWriter out) {
    for (int id = range.first(); id <= range.last(); id++) {
      out.startRow();
      out.int32(id);
      text(out, id, 0);
      out.int32((id - 1) / statements * statements + 1);
      for (int text = 1; text < TEXTS; text++) {
        text(out, id, text);
      }
      out.int32(statements);
    }
  }

  /**
   * @param text which of the texts of a row, from 0
   */
  static String text(int id, int text) {
    return TEXT.of(id, text, TEXT_WIDTH);
  }

  private static void text(RowWriter out, int id, int text) {
    out.text(text(id, text).getBytes(US_ASCII), 0, TEXT_WIDTH);
  }
}
