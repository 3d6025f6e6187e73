package io.shardmark.proxy.metrics;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Measures how late an event loop comes to a timed task: as long a message may have to wait. */
public final class LoopLag {
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final ScheduledExecutorService loop;
  private final LoopCounters counters;
  private long dueNanos;

  private LoopLag(ScheduledExecutorService loop, LoopCounters counters) {
    this.loop = loop;
    this.counters = counters;
  }

  /**
   * Measures from now until the loop ends.
   *
   * @param counters of that loop
   */
  public static void watch(ScheduledExecutorService loop, LoopCounters counters) {
    loop.execute(new LoopLag(loop, counters)::scheduleNext);
  }

  private void measure() {
    counters.record(LoopTimer.LOOP_LAG, System.nanoTime() - dueNanos);
    scheduleNext();
  }

  private void scheduleNext() {
    if (!loop.isShutdown()) {
      dueNanos = System.nanoTime() + INTERVAL_NANOS;
      var unused = loop.schedule(this::measure, INTERVAL_NANOS, TimeUnit.NANOSECONDS);
    }
  }
}
