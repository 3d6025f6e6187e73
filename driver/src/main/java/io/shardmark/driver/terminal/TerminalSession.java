package io.shardmark.driver.terminal;

import io.shardmark.driver.benchmark.TransactionExecutor;
import java.sql.SQLException;

/**
 * One borrowed database connection with the statements prepared on it. Used by the thread that
 * borrowed it; ended by exactly one of the three ways to give it up.
 */
public interface TerminalSession {
  /**
   * What runs transactions on it; prepares its statements if this connection has none yet.
   *
   * @throws SQLException if that fails
   */
  TransactionExecutor executor() throws SQLException;

  /** Gives the connection back. No transaction is open on it. */
  void release();

  /**
   * Rolls back and gives the connection back; drops it if even that fails, so that no open
   * transaction is ever handed on.
   */
  void rollBackAndRelease();

  /** Closes the connection for good: it is lost, or what it would do next cannot be known. */
  void discard();
}
