package io.shardmark.driver.terminal;

import org.jspecify.annotations.Nullable;

/** Where a worker finds the terminal it serves next. */
interface TerminalQueue {
  /**
   * Waits until a terminal is due and takes it.
   *
   * @param waitNanos how long to wait at most, so that the caller can look whether the run has
   *     ended
   * @return null if none became due in that time
   */
  @Nullable TerminalSlot poll(long waitNanos) throws InterruptedException;

  /** Gives a terminal back, to be served again when it is due. */
  void put(TerminalSlot slot);

  /** True if no terminal will ever come: all have run what they were to run. */
  boolean isFinished();

  /** Says that a terminal has run all it was to run and will not be put back. */
  void retire();
}
