package io.shardmark.sql.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

/** The first column of the first row that a query gives. */
public final class FirstValue {
  private FirstValue() {}

  /** As text; empty for NULL, or without a row. */
  public static String text(Connection connection, String query) throws SQLException {
    return text(connection, query, 0);
  }

  /**
   * As text; empty for NULL, or without a row.
   *
   * @param timeoutSeconds after which the query is cancelled; 0 is never
   */
  public static String text(Connection connection, String query, int timeoutSeconds)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(timeoutSeconds);
      try (ResultSet row = statement.executeQuery(query)) {
        return row.next() ? Objects.requireNonNullElse(row.getString(1), "") : "";
      }
    }
  }

  /** As a whole number; 0 for NULL, or without a row. */
  public static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
