package io.shardmark.driver.terminal;

import java.sql.SQLException;
import java.util.function.BooleanSupplier;

/** Where workers get connections. Safe for use by many threads. */
public interface SessionSource extends AutoCloseable {
  /**
   * Connections at one moment.
   *
   * @param inUse borrowed ones
   * @param idle open ones that nobody uses
   * @param waiting workers that wait for one
   */
  record Usage(int inUse, int idle, int waiting) {
    /** No connections are used. */
    public static final Usage NONE = new Usage(0, 0, 0);
  }

  /** What is in use now, about. */
  default Usage usage() {
    return Usage.NONE;
  }

  /**
   * Opens so many connections and prepares their statements, so that no transaction has to wait for
   * that.
   *
   * @param stopped asked after each one: if true the rest is left
   * @throws SQLException if one of them cannot be opened or prepared
   */
  default void open(int count, BooleanSupplier stopped) throws SQLException {}

  /**
   * Borrows a connection, waiting for one if all are in use or the server is away.
   *
   * @throws SQLException if none could be had within the connection timeout
   */
  TerminalSession borrow() throws SQLException;

  /**
   * Breaks connections that are in use, so that a statement that never ends cannot hold up the end
   * of a run.
   */
  void abortAll();

  @Override
  void close();
}
