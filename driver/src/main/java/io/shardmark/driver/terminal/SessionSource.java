package io.shardmark.driver.terminal;

import java.sql.SQLException;

/** Where workers get connections. Safe for use by many threads. */
public interface SessionSource extends AutoCloseable {
  /**
   * Borrows a connection, waiting for one if all are in use or the server is away.
   *
   * @throws SQLException if none could be had within the connection timeout
   */
  Session borrow() throws SQLException;

  /**
   * Breaks connections that are in use, so that a statement that never ends cannot hold up the end
   * of a run.
   */
  void abortAll();

  @Override
  void close();
}
