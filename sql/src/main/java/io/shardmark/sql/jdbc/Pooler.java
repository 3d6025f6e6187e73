package io.shardmark.sql.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/** A connection pooler between this program and a PostgreSQL server. */
public final class Pooler {
  private Pooler() {}

  /**
   * True if the process that serves a connection is not the one that its login named: the process
   * that answered the login lends out server connections, and may lend another one to each
   * transaction. Settings of a session and prepared statements then belong to nobody. Shardmark's
   * proxy is one too, but keeps both for each client.
   *
   * @param connection borrowed; in a transaction if it has auto-commit off
   */
  public static boolean isBetween(Connection connection) throws SQLException {
    return connection.isWrapperFor(PGConnection.class)
        && FirstValue.number(connection, "SELECT pg_backend_pid()")
            != connection.unwrap(PGConnection.class).getBackendPID();
  }
}
