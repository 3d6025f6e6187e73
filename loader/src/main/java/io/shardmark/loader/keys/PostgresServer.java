package io.shardmark.loader.keys;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What a PostgreSQL server is asked and sent before keys are built. Borrows its connection. */
final class PostgresServer {
  /**
   * Memory for one key build. The default of 64 MB makes the sort of two warehouses' order lines
   * spill; a session holds it only while it builds.
   */
  private static final int KEY_BUILD_MEGABYTES = 256;

  private final Connection connection;

  PostgresServer(Connection connection) {
    this.connection = connection;
  }

  /**
   * True for PostgreSQL itself. Databases that speak its protocol change the schema in their own
   * ways, several at once often not at all.
   */
  static boolean isPlain(Connection connection) throws SQLException {
    if (!connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
      return false;
    }
    String version = text(connection, "select version()");
    return version.startsWith("PostgreSQL ")
        && !version.contains("-YB-")
        && text(connection, "select count(*) from pg_extension where extname = 'citus'")
            .equals("0");
  }

  /** Sets up a session for building keys: more memory for sorts and hashes, if it has less. */
  void prepareForKeys() throws SQLException {
    String kilobytes =
        text(connection, "select setting from pg_settings where name = 'maintenance_work_mem'");
    if (Long.parseLong(kilobytes) < KEY_BUILD_MEGABYTES * 1024L) {
      // A separate statement: a pooler in between carries settings that it sees being made.
      try (Statement statement = connection.createStatement()) {
        statement.execute("set maintenance_work_mem = '%dMB'".formatted(KEY_BUILD_MEGABYTES));
      }
    }
  }

  /** A vacuum for each table that a {@code vacuum analyze} by this user would reach. */
  List<ScriptTask> vacuums(int line) throws SQLException {
    List<ScriptTask> tasks = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet tables =
            statement.executeQuery(
                "select format('%I.%I', n.nspname, c.relname), pg_relation_size(c.oid) / 8192"
                    + " from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                    + " where c.relkind in ('r', 'm') and c.relpersistence <> 't'"
                    + " and pg_has_role(c.relowner, 'USAGE') and not c.relisshared"
                    + " order by 2 desc")) {
      while (tables.next()) {
        int pages = (int) Math.min(Integer.MAX_VALUE, tables.getLong(2));
        tasks.add(ScriptTask.vacuum(line, tables.getString(1), pages));
      }
    }
    return tasks;
  }

  private static String text(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "";
    }
  }
}
