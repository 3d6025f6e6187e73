package io.shardmark.driver.terminal;

import io.shardmark.driver.workload.Terminal;
import io.shardmark.driver.workload.Transaction;
import java.util.SplittableRandom;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/**
 * One emulated user between and during its transactions: the transaction it will send next, when
 * that is due, and how many are left. At any time it belongs to one queue or to one worker, so it
 * needs no lock.
 */
final class TerminalSlot implements Delayed {
  private final Terminal terminal;
  private final Pacing pacing;
  private final SplittableRandom pauses;
  private Transaction next;
  private long dueNanos;
  private int remaining;

  /**
   * @param index from 0
   * @param transactions how many it may run; {@link Integer#MAX_VALUE} if the clock ends the run
   */
  TerminalSlot(
      Terminal terminal,
      Pacing pacing,
      SplittableRandom pauses,
      int index,
      int transactions,
      long startNanos) {
    this.terminal = terminal;
    this.pacing = pacing;
    this.pauses = pauses;
    this.remaining = transactions;
    this.next = terminal.next();
    this.dueNanos = pacing.firstDueNanos(next.type(), index, startNanos, pauses);
  }

  Transaction transaction() {
    return next;
  }

  long dueNanos() {
    return dueNanos;
  }

  /**
   * Draws the transaction that follows the one that just ended.
   *
   * @return false if this terminal has run all it was to run
   */
  boolean advance(long lastStartNanos, long lastEndNanos) {
    remaining--;
    if (remaining == 0) {
      return false;
    }
    Transaction last = next;
    next = terminal.next();
    dueNanos =
        pacing.isOpenLoop()
            ? pacing.nextOnScheduleNanos(dueNanos)
            : pacing.nextDueNanos(last.type(), next.type(), lastStartNanos, lastEndNanos, pauses);
    return true;
  }

  @Override
  public long getDelay(TimeUnit unit) {
    return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  @Override
  public int compareTo(Delayed other) {
    // Differences, not values: nanoTime may be negative and may wrap.
    return Long.signum(dueNanos - ((TerminalSlot) other).dueNanos);
  }
}
