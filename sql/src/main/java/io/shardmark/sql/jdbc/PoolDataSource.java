package io.shardmark.sql.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Queue;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Gives the pool the connections that were opened beforehand, and new ones after that. */
final class PoolDataSource implements DataSource {
  /** What the pool asks for as login timeout is how long it waits for its threads when closed. */
  private static final int CLOSE_WAIT_SECONDS = 5;

  private final DatabaseConnections connections;
  private final Queue<Connection> opened;

  /**
   * @param opened taken over: shared with what closes what the pool did not take
   */
  PoolDataSource(DatabaseConnections connections, Queue<Connection> opened) {
    this.connections = connections;
    this.opened = opened;
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = opened.poll();
    if (connection == null) {
      connection = connections.connect();
    }
    if (Thread.currentThread() instanceof PoolThread && connections.ignoresInterrupts()) {
      // HikariCP rests for 30 ms after each connection that it adds: 5 minutes for 10,000. An
      // interrupted thread does not rest, and its executor clears the flag before the next task.
      Thread.currentThread().interrupt();
    }
    return connection;
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("the user is part of the configuration");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) {
    // nothing is written
  }

  @Override
  public void setLoginTimeout(int seconds) {
    // the pool offers its own timeout; the configured connect timeout holds
  }

  @Override
  public int getLoginTimeout() {
    return CLOSE_WAIT_SECONDS;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("no java.util.logging here");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new SQLException("not a " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }

  /** A thread of the pool's own, as against one that opens the pool. */
  static final class PoolThread extends Thread {
    PoolThread(Runnable task, String name) {
      super(task, name);
      setDaemon(true);
    }
  }
}
