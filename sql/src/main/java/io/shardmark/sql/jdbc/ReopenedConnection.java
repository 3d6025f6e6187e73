package io.shardmark.sql.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A separate connection that outlives failures: made when it is first asked for, and again after it
 * was given up. {@link #get} and {@link #giveUp} are for one thread at a time; closing and aborting
 * are for any, and do not wait for a statement that hangs.
 */
public final class ReopenedConnection implements AutoCloseable {
  private final ConnectionSource connections;
  private final Preparation preparation;

  // Not guarded, so that closing does not wait.
  private volatile @Nullable Connection connection;
  private volatile boolean closed;

  /** What is done on a connection before it is used. */
  @FunctionalInterface
  public interface Preparation {
    void on(Connection opened) throws SQLException;
  }

  /** Connects to nothing yet. */
  public ReopenedConnection(ConnectionSource connections, Preparation preparation) {
    this.connections = connections;
    this.preparation = preparation;
  }

  /** The connection; borrowed. A user that finds it useless gives it up. */
  public Connection get() throws SQLException {
    Connection known = connection;
    if (known != null) {
      return known;
    }
    Connection opened = connections.open();
    connection = opened;
    if (closed) {
      throw new SQLException("the connection is closed");
    }
    preparation.on(opened);
    return opened;
  }

  /** Closes what there is; the next {@link #get} opens another one. */
  public void giveUp() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        // It had failed before, or nobody needs it any more.
      }
    }
  }

  /** Breaks off a statement that hangs. */
  public void abort() throws SQLException {
    Connection open = connection;
    if (open != null) {
      open.abort(Runnable::run);
    }
  }

  @Override
  public void close() {
    closed = true;
    giveUp();
  }
}
