package io.shardmark.proxy.shards;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Statements over a JDBC connection, with everything closed that they open. They block. */
public final class ShardSql {
  private ShardSql() {}

  /** Reads one row. */
  @FunctionalInterface
  public interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /**
   * The rows of a query.
   *
   * @param parameters for its question marks; a collection is an array of texts
   */
  public static <T> List<T> rows(
      Connection connection, String sql, RowReader<T> reader, Object... parameters)
      throws SQLException {
    List<T> read = new ArrayList<>();
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        read.add(reader.read(rows));
      }
    }
    return read;
  }

  /** The first column of a query's rows, none of which is NULL. */
  public static List<String> texts(Connection connection, String sql, Object... parameters)
      throws SQLException {
    return rows(connection, sql, row -> String.valueOf(row.getString(1)), parameters);
  }

  /** Whether the one value of a query is true. */
  public static boolean isTrue(Connection connection, String sql, Object... parameters)
      throws SQLException {
    return texts(connection, sql, parameters).contains("t");
  }

  /**
   * Executes what gives no rows that matter.
   *
   * @return how many rows it changed
   */
  public static int execute(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters)) {
      statement.execute();
      return statement.getUpdateCount();
    }
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      Object value = parameters[i];
      if (value instanceof Collection<?> texts) {
        statement.setArray(i + 1, connection.createArrayOf("text", texts.toArray()));
      } else {
        statement.setObject(i + 1, value);
      }
    }
    return statement;
  }
}
