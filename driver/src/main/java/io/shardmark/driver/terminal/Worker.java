package io.shardmark.driver.terminal;

import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.measure.IntervalInForce;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One thread that serves terminals as they come due, one transaction at a time. */
final class Worker implements Runnable {
  /** How long a worker sleeps at most before it looks whether the run has ended. */
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long HIGHEST_LATENESS_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final TerminalQueue queue;
  private final TransactionRunner runner;
  private final IntervalInForce interval;
  private final @Nullable DeliveryQueue deferred;
  private final Histogram lateness = newLateness();

  /**
   * @param deferred where queued work goes; null if it is run at once by this worker
   */
  Worker(
      TerminalQueue queue,
      TransactionRunner runner,
      IntervalInForce interval,
      @Nullable DeliveryQueue deferred) {
    this.queue = queue;
    this.runner = runner;
    this.interval = interval;
    this.deferred = deferred;
  }

  @Override
  public void run() {
    try {
      while (!queue.isFinished() && !interval.isOver(System.nanoTime())) {
        long idleSince = System.nanoTime();
        TerminalSlot slot = queue.poll(MAX_WAIT_NANOS);
        if (slot != null) {
          serve(slot, idleSince);
        }
      }
    } catch (InterruptedException e) {
      // Only the end of a run interrupts workers.
      Thread.currentThread().interrupt();
    }
  }

  private void serve(TerminalSlot slot, long idleSince) {
    long dequeued = System.nanoTime();
    if (slot.dueNanos() - idleSince > 0) {
      // The worker was waiting for this terminal: what passed since it was due is the scheduler's
      // own error.
      long late = Math.max(dequeued - slot.dueNanos(), 0);
      lateness.recordValue(Math.min(late, HIGHEST_LATENESS_NANOS));
    }
    slot.begin(dequeued);
    Transaction followUp = runner.run(slot.transaction(), slot.dueNanos(), dequeued);
    long start = runner.startNanos();
    long end = runner.endNanos();
    if (followUp != null) {
      end = runFollowUp(followUp, end);
    }
    if (slot.advance(start, end)) {
      queue.put(slot);
    } else {
      queue.retire();
    }
  }

  /**
   * @return when the terminal is free again
   */
  private long runFollowUp(Transaction followUp, long queuedNanos) {
    if (deferred != null) {
      deferred.offer(followUp, queuedNanos);
      return queuedNanos;
    }
    runner.run(followUp, queuedNanos, System.nanoTime());
    return runner.endNanos();
  }

  /**
   * Two digits are enough for an error bar. It grows with what it records: each of 16,800 workers
   * has one.
   */
  static Histogram newLateness() {
    Histogram histogram = new Histogram(1000, 2000, 2);
    histogram.setAutoResize(true);
    return histogram;
  }

  /**
   * How much later than due a free worker took a terminal up, in nanoseconds: the error of the
   * clock and the scheduler. Read only after this worker's thread has ended.
   */
  Histogram lateness() {
    return lateness;
  }
}
