package io.shardmark.driver.live;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The pages that are open, as their requests show: so that they learn of the end. Safe on any
 * thread.
 */
final class Viewers {
  private static final int MOST = 100;

  /**
   * A page asks once a second; one that has been silent for longer is gone or hidden, or its
   * machine is very busy.
   */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(6);

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** When each one asked last, of those who do not know yet that the run is over. */
  private final Map<String, Long> uninformed = new HashMap<>();

  /**
   * A page asked, or got its answer.
   *
   * @param viewer a name it has drawn; empty for a program, which is not waited for
   * @param over true if its answer said that the run is over
   */
  synchronized void seen(String viewer, boolean over) {
    if (over) {
      uninformed.remove(viewer);
      notifyAll();
    } else if (!viewer.isEmpty() && (uninformed.size() < MOST || uninformed.containsKey(viewer))) {
      uninformed.put(viewer, System.nanoTime());
    }
  }

  synchronized void awaitAll() throws InterruptedException {
    long start = System.nanoTime();
    uninformed.values().removeIf(last -> start - last > SILENCE_NANOS);
    long left = PATIENCE_NANOS;
    while (!uninformed.isEmpty() && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = PATIENCE_NANOS - (System.nanoTime() - start);
    }
  }
}
