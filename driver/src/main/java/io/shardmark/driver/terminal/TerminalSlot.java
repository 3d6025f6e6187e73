package io.shardmark.driver.terminal;

import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.measure.LeftOver;
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
  private final int index;
  private Transaction next;
  private long dueNanos;
  private int remaining;
  private boolean begun;
  private long dequeuedNanos;

  /**
   * @param index from 0
   * @param transactions how many it may run; {@link Integer#MAX_VALUE} if the clock ends the run
   */
  TerminalSlot(
      Terminal terminal, Pacing pacing, SplittableRandom pauses, int index, int transactions) {
    this.terminal = terminal;
    this.pacing = pacing;
    this.pauses = pauses;
    this.remaining = transactions;
    this.next = terminal.next();
    this.index = index;
  }

  /**
   * Sets when its first transaction is due.
   *
   * @param startNanos start of the session
   */
  void start(long startNanos) {
    dueNanos = pacing.firstDueNanos(next.type(), index, startNanos, pauses);
  }

  Transaction transaction() {
    return next;
  }

  long dueNanos() {
    return dueNanos;
  }

  /** A worker takes its transaction up. */
  void begin(long nanos) {
    begun = true;
    dequeuedNanos = nanos;
  }

  /** How many of its transactions were due before an instant and never begun. */
  long neverBegun(long beforeNanos) {
    long due = Math.min(remaining, pacing.placesBefore(dueNanos, beforeNanos));
    return begun ? Math.max(0, due - 1) : due;
  }

  /**
   * Reports what was due before an instant and is not done. Draws the types of what never was
   * begun, one for so many of them; so this is the last that is asked of the terminal.
   */
  void tellLeftOver(LeftOver leftOver, long beforeNanos, long step) {
    if (begun) {
      leftOver.neverEnded(next.type().index(), next.isDistributed(), dueNanos, dequeuedNanos);
    }
    long left = neverBegun(beforeNanos);
    if (begun && left > 0) {
      next = terminal.next();
      dueNanos = pacing.nextOnScheduleNanos(dueNanos);
    }
    while (left > 0) {
      long count = Math.min(step, left);
      long middle = dueNanos;
      for (long place = 1; place < count; place++) {
        dueNanos = pacing.nextOnScheduleNanos(dueNanos);
      }
      middle += (dueNanos - middle) / 2;
      leftOver.neverBegun(next.type().index(), next.isDistributed(), middle, count);
      left -= count;
      if (left > 0) {
        next = terminal.next();
        dueNanos = pacing.nextOnScheduleNanos(dueNanos);
      }
    }
  }

  /**
   * Draws the transaction that follows the one that just ended.
   *
   * @return false if this terminal has run all it was to run
   */
  boolean advance(long lastStartNanos, long lastEndNanos) {
    begun = false;
    remaining = remaining > 1 && terminal.goesOn() ? remaining - 1 : 0;
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
