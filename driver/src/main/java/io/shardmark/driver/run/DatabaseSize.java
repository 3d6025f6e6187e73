package io.shardmark.driver.run;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Optional;

/** How much room the benchmark's tables and indexes take, as the server itself counts it. */
final class DatabaseSize {
  private DatabaseSize() {}

  /**
   * In words such as {@code 312 MB}; empty for a server that does not say it in one query, and for
   * an endpoint over several.
   *
   * @param prefix how the names of tables and indexes begin, lower case
   */
  static Optional<String> of(Database database, String prefix) throws SQLException {
    Optional<String> query = query(database, prefix);
    if (query.isEmpty()) {
      return Optional.empty();
    }
    try (Connection connection = database.connections().open();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query.get())) {
      rows.next();
      return Optional.of(String.format(Locale.ROOT, "%,d MB", (rows.getLong(1) >> 20) + 1));
    }
  }

  private static Optional<String> query(Database database, String prefix) throws SQLException {
    return switch (database.config().database()) {
      case POSTGRES ->
          database.shardMap().isPresent()
              ? Optional.empty()
              : Optional.of(
                  "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c WHERE c.relkind = 'r'"
                      + " AND c.relname LIKE '"
                      + prefix
                      + "%' AND pg_table_is_visible(c.oid)");
      case MYSQL, MARIADB ->
          Optional.of(
              "SELECT sum(data_length + index_length) FROM information_schema.tables"
                  + " WHERE table_schema = database() AND table_name LIKE '"
                  + prefix
                  + "%'");
      case ORACLE ->
          Optional.of(
              "SELECT sum(bytes) FROM user_segments WHERE segment_name LIKE '"
                  + prefix.toUpperCase(Locale.ROOT)
                  + "%'");
      case FIREBIRD -> Optional.empty();
    };
  }
}
