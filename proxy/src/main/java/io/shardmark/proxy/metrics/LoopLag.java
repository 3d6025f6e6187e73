package io.shardmark.proxy.metrics;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Measures how late an event loop comes to a task: as long a message may have to wait. Asked from
 * outside: a timer of the loop's own would be set anew each time the loop has nothing to do.
 */
public final class LoopLag {
  /** A loop is asked so often, and wakes for it. */
  public static final long INTERVAL_MILLIS = 500;

  private final ExecutorService loop;
  private final LoopCounters counters;

  /** The loop has not come to the last task. Written by both threads in turn. */
  private volatile boolean asked;

  private LoopLag(ExecutorService loop, LoopCounters counters) {
    this.loop = loop;
    this.counters = counters;
  }

  /**
   * Measures from now until the loop or the clock ends.
   *
   * @param clock asks the loop now and then
   * @param counters of that loop
   */
  public static void watch(
      ScheduledExecutorService clock, ExecutorService loop, LoopCounters counters) {
    var unused =
        clock.scheduleWithFixedDelay(
            new LoopLag(loop, counters)::ask,
            INTERVAL_MILLIS,
            INTERVAL_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  private void ask() {
    if (asked || loop.isShutdown()) {
      return;
    }
    asked = true;
    long sinceNanos = System.nanoTime();
    loop.execute(
        () -> {
          counters.record(LoopTimer.LOOP_LAG, System.nanoTime() - sinceNanos);
          asked = false;
        });
  }
}
