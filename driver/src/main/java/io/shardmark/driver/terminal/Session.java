package io.shardmark.driver.terminal;

import io.shardmark.driver.workload.TransactionExecutor;

/**
 * One borrowed database connection with the statements prepared on it. Used by the thread that
 * borrowed it; ended by exactly one of the three ways to give it up.
 */
public interface Session {
  TransactionExecutor executor();

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
