package io.shardmark.driver.terminal;

import io.shardmark.driver.benchmark.TransactionExecutor;

/** A database that answers at once and keeps nothing: what remains is the driver's own cost. */
public final class NullSessions implements SessionSource {
  private final Session session;

  /**
   * @param executor answers without a database; shared by all workers, so it keeps no state
   */
  public NullSessions(TransactionExecutor executor) {
    session =
        new Session() {
          @Override
          public TransactionExecutor executor() {
            return executor;
          }

          @Override
          public void rollBackAndRelease() {}

          @Override
          public void release() {}

          @Override
          public void discard() {}
        };
  }

  @Override
  public Session borrow() {
    return session;
  }

  @Override
  public void abortAll() {}

  @Override
  public void close() {}
}
