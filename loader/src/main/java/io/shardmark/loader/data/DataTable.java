package io.shardmark.loader.data;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table that is loaded, with the order in which its fields are written: COPY and INSERT name
 * their columns, CSV files have them in this order. Immutable.
 *
 * @param name in the database, without a schema
 * @param fileName of its CSV file, without the prefix that {@code fileLocation} gives
 * @param columns in the order in which fields are written
 */
public record DataTable(String name, String fileName, List<Column> columns) {
  /** No table: what a writer has before its first one. */
  public static final DataTable NONE = new DataTable("", "", List.of());

  /** What a field holds; the writers choose the database's type for it. */
  public enum ColumnType {
    INTEGER,
    TEXT,
    DECIMAL,
    TIMESTAMP;

    private static ColumnType of(String code) {
      return switch (code) {
        case "i" -> INTEGER;
        case "t" -> TEXT;
        case "d" -> DECIMAL;
        case "ts" -> TIMESTAMP;
        default -> throw new IllegalArgumentException(code);
      };
    }
  }

  /** A column of a table. */
  public record Column(String name, ColumnType type) {
    private static Column of(String nameAndType) {
      int colon = nameAndType.indexOf(':');
      return new Column(
          nameAndType.substring(0, colon), ColumnType.of(nameAndType.substring(colon + 1)));
    }
  }

  public DataTable {
    columns = List.copyOf(columns);
  }

  /**
   * @param columns names and types, such as {@code id:i name:t price:d since:ts}: integer, text,
   *     decimal, timestamp
   */
  public static DataTable of(String name, String fileName, String columns) {
    return new DataTable(
        name, fileName, Arrays.stream(columns.split(" ", -1)).map(Column::of).toList());
  }

  /** The column names, comma separated, as COPY and INSERT name them. */
  public String columnList() {
    return columns.stream().map(Column::name).collect(Collectors.joining(", "));
  }
}
