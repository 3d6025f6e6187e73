package io.shardmark.loader.writer;

import io.shardmark.loader.data.DataTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The statement that inserts rows of a table, and how many of them it takes at most.
 *
 * @param text with a parameter for each value; where it takes several rows, their number is the
 *     first parameter and what follows the values of the last row is not looked at
 * @param rows at least 1
 */
record RowInsert(String text, int rows) {
  /** A statement of Firebird has up to 255 tables (contexts); each row's INSERT names one. */
  private static final int MOST_ROWS = 200;

  /** Bound of Firebird 3 for the compiled form of a statement, and for all its parameters. */
  private static final int MESSAGE_BYTES = 65_535;

  /** Of a column in the compiled INSERT besides its name: reference, parameter, type. */
  private static final int COMPILED_BYTES = 24;

  /** Of a parameter in a message besides its text: length, null flag, alignment. */
  private static final int VALUE_BYTES = 16;

  /**
   * @param connection borrowed; asked for its product, and Firebird for the lengths of the columns
   */
  static RowInsert of(Connection connection, DataTable table) throws SQLException {
    return connection.getMetaData().getDatabaseProductName().startsWith("Firebird")
        ? block(table, rowsOfBlock(connection, table))
        : single(table);
  }

  private static RowInsert single(DataTable table) {
    return new RowInsert(
        "INSERT INTO %s (%s) VALUES (%s)"
            .formatted(table.name(), table.columnList(), marks(table, "?", "")),
        1);
  }

  /**
   * Firebird takes a batch row by row, a round trip each, before its version 4. A block takes many
   * rows at once; its parameters need types, which are those of the columns.
   */
  static RowInsert block(DataTable table, int rows) {
    StringBuilder parameters = new StringBuilder("EXECUTE BLOCK (rows_given INTEGER = ?");
    StringBuilder inserts = new StringBuilder(") AS BEGIN");
    for (int row = 0; row < rows; row++) {
      String suffix = "_" + row;
      for (DataTable.Column column : table.columns()) {
        parameters.append(
            ", %s%s TYPE OF COLUMN %s.%s = ?"
                .formatted(column.name(), suffix, table.name(), column.name()));
      }
      if (row > 0) {
        inserts.append(" IF (rows_given = ").append(row).append(") THEN EXIT;");
      }
      inserts.append(
          " INSERT INTO %s (%s) VALUES (%s);"
              .formatted(table.name(), table.columnList(), marks(table, ":", suffix)));
    }
    return new RowInsert(parameters.append(inserts).append(" END").toString(), rows);
  }

  private static String marks(DataTable table, String mark, String suffix) {
    return table.columns().stream()
        .map(column -> mark.equals("?") ? mark : mark + column.name() + suffix)
        .collect(Collectors.joining(", "));
  }

  private static int rowsOfBlock(Connection connection, DataTable table) throws SQLException {
    int messageBytes = 0;
    int compiledBytes = 0;
    try (ResultSet columns =
        connection
            .getMetaData()
            .getColumns(null, null, table.name().toUpperCase(Locale.ROOT), null)) {
      while (columns.next()) {
        messageBytes += columns.getInt("CHAR_OCTET_LENGTH") + VALUE_BYTES;
        compiledBytes += columns.getString("COLUMN_NAME").length() + COMPILED_BYTES;
      }
    }
    int most = MESSAGE_BYTES / Math.max(1, Math.max(messageBytes, compiledBytes));
    return Math.max(1, Math.min(MOST_ROWS, most));
  }
}
