package io.shardmark.proxy.server;

import java.time.Duration;

/** Waits for what other processes do. */
final class Waiting {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  interface Condition {
    boolean holds() throws Exception;
  }

  private Waiting() {}

  /** Until it holds; a test that waits in vain fails. */
  static void until(Condition condition) throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("waited in vain");
      }
      Thread.onSpinWait();
    }
  }
}
