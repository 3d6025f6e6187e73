package io.shardmark.driver.adversity;

import io.shardmark.sql.jdbc.ConnectionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A statement on a connection to the database under test. */
final class SqlEvent implements EventAction {
  private final ConnectionSource connections;
  private final String sql;
  private @Nullable Connection connection;
  private boolean cancelled;

  SqlEvent(ConnectionSource connections, String sql) {
    this.connections = connections;
    this.sql = sql;
  }

  @Override
  public String run() throws SQLException {
    try (Connection opened = connections.open();
        Statement statement = opened.createStatement()) {
      opened.setAutoCommit(true);
      if (isUsed(opened)) {
        statement.execute(sql);
      }
      return "";
    }
  }

  private synchronized boolean isUsed(Connection opened) {
    connection = opened;
    return !cancelled;
  }

  @Override
  public synchronized void cancel() {
    cancelled = true;
    if (connection != null) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        throw new IllegalStateException("a connection that was opened can be aborted", e);
      }
    }
  }
}
