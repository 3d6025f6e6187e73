package io.shardmark.sql.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;

/** Tables of the schema that a connection works in. */
public final class Tables {
  private Tables() {}

  /**
   * True if there is a table or view of this name.
   *
   * @param name without quotes, in any case
   */
  public static boolean exists(Connection connection, String name) throws SQLException {
    DatabaseMetaData meta = connection.getMetaData();
    String stored = meta.storesUpperCaseIdentifiers() ? name.toUpperCase(Locale.ROOT) : name;
    try (ResultSet found =
        meta.getTables(connection.getCatalog(), connection.getSchema(), stored, null)) {
      return found.next();
    }
  }
}
