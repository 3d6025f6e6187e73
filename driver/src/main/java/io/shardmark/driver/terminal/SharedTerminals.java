package io.shardmark.driver.terminal;

import java.util.concurrent.DelayQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Many terminals, few workers: a free worker takes the terminal that has been due longest. One
 * short lock for each transaction, which at the rate that keying and think times allow (100,000
 * terminals are 4,500 transactions a second) is not felt.
 */
final class SharedTerminals implements TerminalQueue {
  private final DelayQueue<TerminalSlot> slots = new DelayQueue<>();
  private final AtomicInteger running;

  /**
   * @param terminals how many will be put in before the first is taken
   */
  SharedTerminals(int terminals) {
    running = new AtomicInteger(terminals);
  }

  @Override
  public @Nullable TerminalSlot poll(long waitNanos) throws InterruptedException {
    return slots.poll(waitNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void put(TerminalSlot slot) {
    slots.put(slot);
  }

  @Override
  public boolean isFinished() {
    return running.get() == 0;
  }

  @Override
  public void retire() {
    running.decrementAndGet();
  }
}
