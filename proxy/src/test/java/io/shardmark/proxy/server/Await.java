package io.shardmark.proxy.server;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for what other threads and processes bring about. */
final class Await {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 10;

  private Await() {}

  /** Looks again and again until it is so; fails after a minute. */
  static void until(String what, Callable<Boolean> condition) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    long start = System.nanoTime();
    while (!condition.call()) {
      if (System.nanoTime() - start > LIMIT.toNanos()
          || never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what);
      }
    }
  }
}
