package io.shardmark.driver.tpcc.statements;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads every column of one statement's rows, as the terminal's screen shows them, each in the form
 * that costs least: pgjdbc makes a text of a binary array or timestamp at a high price. The types
 * are asked for once.
 */
final class RowReader {
  private RowColumn @Nullable [] columns;
  private final BitSet nulls = new BitSet();

  /** In what form a column is read. */
  private enum RowColumn {
    INTEGER,
    NUMERIC,
    TIMESTAMP,
    /** Comes in binary. */
    ARRAY,
    /** Comes as text. */
    NUMERIC_ARRAY,
    TEXT;

    static RowColumn of(ResultSetMetaData meta, int column) throws SQLException {
      return switch (meta.getColumnType(column)) {
        case Types.INTEGER -> INTEGER;
        case Types.NUMERIC, Types.DECIMAL -> NUMERIC;
        case Types.TIMESTAMP -> TIMESTAMP;
        case Types.ARRAY ->
            meta.getColumnTypeName(column).equals("_numeric") ? NUMERIC_ARRAY : ARRAY;
        default -> TEXT;
      };
    }
  }

  /**
   * Reads the row that a result set is on.
   *
   * @param first the first column that is read
   */
  void read(ResultSet row, int first) throws SQLException {
    RowColumn[] known = columns;
    if (known == null) {
      known = columnsOf(row.getMetaData());
      columns = known;
    }
    for (int column = first; column <= known.length; column++) {
      nulls.set(column, isNull(row, column, known[column - 1]));
    }
  }

  /** Whether a column of the row that was read last is null, or an array with a null in it. */
  boolean isNull(int column) {
    return nulls.get(column);
  }

  private static RowColumn[] columnsOf(ResultSetMetaData meta) throws SQLException {
    RowColumn[] columns = new RowColumn[meta.getColumnCount()];
    for (int index = 0; index < columns.length; index++) {
      columns[index] = RowColumn.of(meta, index + 1);
    }
    return columns;
  }

  private static boolean isNull(ResultSet row, int column, RowColumn form) throws SQLException {
    return switch (form) {
      case INTEGER -> row.getInt(column) == 0 && row.wasNull();
      case NUMERIC -> row.getBigDecimal(column) == null;
      case TIMESTAMP -> row.getTimestamp(column) == null;
      case ARRAY -> {
        java.sql.Array array = row.getArray(column);
        yield array == null || Arrays.asList((Object[]) array.getArray()).contains(null);
      }
      case NUMERIC_ARRAY -> {
        String array = row.getString(column);
        yield array == null || array.contains("NULL");
      }
      case TEXT -> row.getString(column) == null;
    };
  }
}
