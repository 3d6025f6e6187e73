package io.shardmark.driver.bmt;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.shardmark.driver.benchmark.RowText;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.LoadUnit;
import io.shardmark.loader.data.Origin;
import io.shardmark.loader.data.RowSource;
import io.shardmark.loader.data.RowWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows as the inserts of a run would leave them. A unit is 10,000 rows.
 *
 * @param statements rows of a transaction
 */
record BmtDataSet(int rows, int statements) implements DataSet {
  private static final int UNIT_ROWS = 10_000;
  private static final int TEXT_WIDTH = 500;

  /** The columns of texts: c2 and c4 to c8. */
  static final int TEXTS = 6;

  private static final RowText TEXT = new RowText(8192);

  /** c10 is left to its default, the day. */
  private static final DataTable TABLE =
      DataTable.of("tb_test1", "tb_test1.csv", "c1:i c2:t c3:i c4:t c5:t c6:t c7:t c8:t c9:i");

  @Override
  public String size() {
    return rows + " rows";
  }

  @Override
  public Map<String, String> parameters() {
    return Map.of(
        "rows", Integer.toString(rows), "statementsPerCommit", Integer.toString(statements));
  }

  @Override
  public Optional<String> loadedSize(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM tb_test1")) {
      row.next();
      return Optional.of(row.getLong(1) + " rows");
    }
  }

  @Override
  public Optional<String> lastKeyedTable() {
    return Optional.of(TABLE.name());
  }

  @Override
  public String namePrefix() {
    return TABLE.name();
  }

  @Override
  public List<DataTable> tables() {
    return List.of(TABLE);
  }

  @Override
  public int unitCount() {
    return (rows - 1) / UNIT_ROWS + 1;
  }

  @Override
  public LoadUnit unit(int number) {
    return new LoadUnit(number, "rows " + (number + 1), 0, tables());
  }

  @Override
  public long expectedRows(int firstUnit, int endUnit) {
    return Math.min(rows, (long) endUnit * UNIT_ROWS) - (long) firstUnit * UNIT_ROWS;
  }

  @Override
  public String partitionName(int partition) {
    return "Rows";
  }

  @Override
  public RowSource rows(Origin origin) {
    return (unit, table, out) -> write(unit.number(), out);
  }

  private int write(int unit, RowWriter out) {
    int first = unit * UNIT_ROWS + 1;
    int last = Math.min(rows, first - 1 + UNIT_ROWS);
    for (int id = first; id <= last; id++) {
      out.startRow();
      out.int32(id);
      text(out, id, 0);
      out.int32((id - 1) / statements * statements + 1);
      for (int text = 1; text < TEXTS; text++) {
        text(out, id, text);
      }
      out.int32(statements);
    }
    return last - first + 1;
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
