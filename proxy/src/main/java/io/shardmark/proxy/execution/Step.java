package io.shardmark.proxy.execution;

/** Work of a session that takes several turns of the event loop. */
public interface Step {
  /**
   * Goes on as far as possible; called again whenever something may have changed.
   *
   * @return true when it is done
   * @throws StatementException if the statement fails; the step is over then
   */
  boolean advance();

  /** It will not go on: it has failed, or the client is gone. Releases what it holds. */
  default void abandon() {}

  /** Whether it waits for CopyData of the client. */
  default boolean takesCopyData() {
    return false;
  }
}
