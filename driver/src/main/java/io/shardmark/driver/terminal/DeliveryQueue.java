package io.shardmark.driver.terminal;

import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.LeftOver;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Work that terminals queued and do not wait for (TPC-C 2.7.2.2), and the threads' way to it.
 * Bounded; what does not fit is counted.
 */
final class DeliveryQueue {
  private static final int CAPACITY = 100_000;
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final BlockingQueue<QueuedDelivery> entries = new ArrayBlockingQueue<>(CAPACITY);
  private final AtomicLong refused = new AtomicLong();

  private record QueuedDelivery(Transaction transaction, long queuedNanos) {}

  void offer(Transaction transaction, long queuedNanos) {
    if (!entries.offer(new QueuedDelivery(transaction, queuedNanos))) {
      refused.incrementAndGet();
    }
  }

  /** How many entries found the queue full. */
  long refused() {
    return refused.get();
  }

  /** How many entries nobody has taken yet. */
  int waiting() {
    return entries.size();
  }

  /** Reports what nobody has taken. */
  void tellLeftOver(LeftOver leftOver) {
    for (QueuedDelivery entry : entries) {
      leftOver.neverBegun(
          entry.transaction().type().index(),
          entry.transaction().isDistributed(),
          entry.queuedNanos(),
          1);
    }
  }

  /**
   * Serves the queue until the interval is over, or until the terminals have ended and nothing is
   * left. For a separate thread.
   *
   * @param terminalsEnded open when no terminal will queue anything more
   */
  void serve(TransactionRunner runner, IntervalInForce interval, CountDownLatch terminalsEnded) {
    try {
      while (!interval.isOver(System.nanoTime())
          && (terminalsEnded.getCount() > 0 || !entries.isEmpty())) {
        QueuedDelivery entry = entries.poll(MAX_WAIT_NANOS, TimeUnit.NANOSECONDS);
        if (entry != null) {
          runner.run(entry.transaction(), entry.queuedNanos(), System.nanoTime());
        }
      }
    } catch (InterruptedException e) {
      // Only the end of a run interrupts workers.
      Thread.currentThread().interrupt();
    }
  }
}
