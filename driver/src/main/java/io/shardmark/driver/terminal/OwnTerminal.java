package io.shardmark.driver.terminal;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One terminal for one worker: the shape of BenchmarkSQL, without anything that workers share. Used
 * by its worker's thread alone.
 */
final class OwnTerminal implements TerminalQueue {
  private final TerminalSlot slot;
  private boolean finished;

  OwnTerminal(TerminalSlot slot) {
    this.slot = slot;
  }

  @Override
  public @Nullable TerminalSlot poll(long waitNanos) throws InterruptedException {
    long now = System.nanoTime();
    long giveUp = now + waitNanos;
    while (slot.dueNanos() - now > 0) {
      if (now - giveUp >= 0) {
        return null;
      }
      LockSupport.parkNanos(this, Math.min(slot.dueNanos() - now, giveUp - now));
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      now = System.nanoTime();
    }
    return slot;
  }

  @Override
  public void put(TerminalSlot served) {
    // It never left.
  }

  @Override
  public boolean isFinished() {
    return finished;
  }

  @Override
  public void retire() {
    finished = true;
  }
}
