package io.shardmark.driver.terminal;

import io.shardmark.driver.benchmark.TransactionExecutor;

/**
 * A database that answers at once and keeps nothing: what remains is the driver's own cost.
 *
 * @param executor answers without a database; shared by all workers, so it keeps no state
 */
public record NullSessions(TransactionExecutor executor) implements SessionSource, TerminalSession {
  @Override
  public TerminalSession borrow() {
    return this;
  }

  @Override
  public void rollBackAndRelease() {}

  @Override
  public void release() {}

  @Override
  public void discard() {}

  @Override
  public void abortAll() {}

  @Override
  public void close() {}
}
