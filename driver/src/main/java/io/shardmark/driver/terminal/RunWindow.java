package io.shardmark.driver.terminal;

/**
 * The measurement interval on the clock of {@link System#nanoTime()}, as workers see it. Its end
 * may come earlier than planned (the user stops the run, or every terminal has run its number of
 * transactions), never later. Written by one thread, read by all.
 */
public final class RunWindow {
  private final long startNanos;
  private volatile long endNanos;

  /**
   * @param startNanos end of the ramp-up
   * @param endNanos planned end; with a number of transactions per terminal, a time that will not
   *     come
   */
  public RunWindow(long startNanos, long endNanos) {
    this.startNanos = startNanos;
    this.endNanos = endNanos;
  }

  public long startNanos() {
    return startNanos;
  }

  public long endNanos() {
    return endNanos;
  }

  /**
   * Ends the interval now or earlier than planned; a later time than the planned one is ignored.
   */
  public void endAt(long nanos) {
    if (nanos - endNanos < 0) {
      endNanos = nanos;
    }
  }

  /** True if a transaction that ended at this time counts. */
  public boolean contains(long nanos) {
    return nanos - startNanos >= 0 && nanos - endNanos <= 0;
  }

  /** True if no new transaction may start. */
  public boolean isOver(long nowNanos) {
    return nowNanos - endNanos >= 0;
  }
}
