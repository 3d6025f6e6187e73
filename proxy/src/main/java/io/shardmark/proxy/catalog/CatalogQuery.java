package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
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
    try {
      ShardSql.execute(connection, "set transaction isolation level repeatable read, read only");
      ShardFacts facts = ShardSql.rows(connection, CatalogSql.SERVER, CatalogQuery::facts).get(0);
      for (String setting : CatalogSql.SETTINGS) {
        ShardSql.execute(connection, setting);
      }
      ShardCatalog catalog =
          CatalogRows.catalog(
              facts, ShardSql.rows(connection, CatalogRows.EVERYTHING, CatalogQuery::row));
      connection.commit();
      return catalog;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /** A text that differs after any change of the tables. */
  static String fingerprint(Connection connection) throws SQLException {
    return ShardSql.texts(connection, CatalogSql.FINGERPRINT).get(0);
  }

  private static List<@Nullable String> row(ResultSet row) throws SQLException {
    @Nullable String[] values = new String[CatalogSql.COLUMN_COUNT];
    for (int column = 0; column < values.length; column++) {
      values[column] = row.getString(column + 1);
    }
    return Arrays.asList(values);
  }

  private static ShardFacts facts(ResultSet row) throws SQLException {
    return new ShardFacts(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getBoolean(5),
        row.getInt(6),
        row.getInt(7),
        row.getInt(8),
        row.getString(9),
        row.getBoolean(10),
        row.getString(11),
        row.getBoolean(12));
  }
}
