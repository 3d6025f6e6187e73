package io.shardmark.proxy.catalog;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one shard's catalog over JDBC. */
final class CatalogQuery {
  private CatalogQuery() {}

  /**
   * Reads everything in one snapshot.
   *
   * @param connection in auto-commit mode, as it is afterwards
   */
  static ShardCatalog read(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("set transaction isolation level repeatable read, read only");
      ShardFacts facts = facts(statement);
      statement.execute(String.join("; ", CatalogSql.SETTINGS));
      ShardCatalog catalog = new CatalogRows(rows(statement)).catalog(facts);
      connection.commit();
      return catalog;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /** A text that is another one after any change of the tables. */
  static String fingerprint(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(CatalogSql.FINGERPRINT)) {
      row.next();
      return row.getString(1);
    }
  }

  private static List<List<@Nullable String>> rows(Statement statement) throws SQLException {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (ResultSet row = statement.executeQuery(CatalogRows.EVERYTHING)) {
      while (row.next()) {
        @Nullable String[] values = new String[CatalogSql.COLUMN_COUNT];
        for (int column = 0; column < values.length; column++) {
          values[column] = row.getString(column + 1);
        }
        rows.add(Arrays.asList(values));
      }
    }
    return rows;
  }

  private static ShardFacts facts(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(CatalogSql.FACTS)) {
      row.next();
      return new ShardFacts(
          row.getString(1),
          row.getInt(2),
          row.getString(3),
          row.getString(4),
          row.getString(5),
          row.getBoolean(6),
          row.getInt(7),
          row.getInt(8),
          row.getInt(9),
          row.getString(10),
          row.getBoolean(11),
          row.getString(12),
          row.getBoolean(13));
    }
  }
}
