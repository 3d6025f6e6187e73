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
  private @Nullable Statement statement;
  private boolean cancelled;

  SqlEvent(ConnectionSource connections, String sql) {
    this.connections = connections;
    this.sql = sql;
  }

  @Override
  public String run() throws SQLException {
    try (Connection opened = connections.open();
        Statement opens = opened.createStatement()) {
      opened.setAutoCommit(true);
      if (isUsed(opens)) {
        opens.execute(sql);
      }
      return "";
    }
  }

  private synchronized boolean isUsed(Statement opened) {
    statement = opened;
    return !cancelled;
  }

  /** A server whose client goes away works on: it is asked to end the statement. */
  @Override
  public synchronized void cancel() {
    cancelled = true;
    Statement now = statement;
    if (now != null) {
      try {
        now.cancel();
      } catch (SQLException e) { // it cannot be asked, so that the connection ends at least here
        abort(now);
      }
    }
  }

  @Override
  public synchronized void abandon() {
    if (statement != null) {
      abort(statement);
    }
  }

  private static void abort(Statement statement) {
    try {
      statement.getConnection().abort(Runnable::run);
    } catch (SQLException e) { // closed: the statement has ended
      return;
    }
  }
}
