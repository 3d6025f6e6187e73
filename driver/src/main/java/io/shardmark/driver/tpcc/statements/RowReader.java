package io.shardmark.driver.tpcc.statements;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/**
 * Reads every column of one statement's rows, as the terminal's screen shows them, each in the form
 * that costs least: pgjdbc makes a text of a binary array or timestamp dearly. The types are asked
 * for once.
 */
final class RowReader {
  private Column @Nullable [] columns;

  /** In what form a column is read. */
  private enum Column {
    INTEGER,
    NUMERIC,
    TIMESTAMP,
    /** Comes in binary. */
    ARRAY,
    /** Comes as text. */
    TEXT;

    static Column of(ResultSetMetaData meta, int column) throws SQLException {
      return switch (meta.getColumnType(column)) {
        case Types.INTEGER -> INTEGER;
        case Types.NUMERIC, Types.DECIMAL -> NUMERIC;
        case Types.TIMESTAMP -> TIMESTAMP;
        case Types.ARRAY -> meta.getColumnTypeName(column).equals("_numeric") ? TEXT : ARRAY;
        default -> TEXT;
      };
    }
  }

  /**
   * Reads the row that a result set stands on.
   *
   * @param first the first column that is read
   */
  void read(ResultSet row, int first) throws SQLException {
    Column[] known = columns;
    if (known == null) {
      known = columnsOf(row.getMetaData());
      columns = known;
    }
    for (int column = first; column <= known.length; column++) {
      read(row, column, known[column - 1]);
    }
  }

  private static Column[] columnsOf(ResultSetMetaData meta) throws SQLException {
    Column[] columns = new Column[meta.getColumnCount()];
    for (int index = 0; index < columns.length; index++) {
      columns[index] = Column.of(meta, index + 1);
    }
    return columns;
  }

  private static void read(ResultSet row, int column, Column form) throws SQLException {
    switch (form) {
      case INTEGER -> row.getInt(column);
      case NUMERIC -> row.getBigDecimal(column);
      case TIMESTAMP -> row.getTimestamp(column);
      case ARRAY -> {
        java.sql.Array array = row.getArray(column);
        if (array != null) {
          array.getArray();
        }
      }
      case TEXT -> row.getString(column);
    }
  }
}
