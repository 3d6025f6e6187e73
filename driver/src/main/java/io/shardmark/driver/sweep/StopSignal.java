package io.shardmark.driver.sweep;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM: the hook ends the process under way, then holds the JVM until the sweep has
 * written down where it stands, or until a limit that keeps a hanging one from being unstoppable.
 */
final class StopSignal implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 45;

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook;

  /**
   * @param onSignal called once, on the thread of the hook
   */
  StopSignal(Runnable onSignal) {
    hook =
        new Thread(
            () -> {
              asked.countDown();
              onSignal.run();
              awaitFinished();
            },
            "signal");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void awaitFinished() {
    try {
      if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println(
            "ERROR: the sweep did not end in " + PATIENCE_SECONDS + " s after the signal");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isAsked() {
    return asked.getCount() == 0;
  }

  /** Waits, but not on after a signal. */
  boolean awaitAsked(Duration most) throws InterruptedException {
    return asked.await(most.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** All is written down: the JVM may go. */
  @Override
  public void close() {
    finished.countDown();
    if (!isAsked()) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The signal came this very moment; the hook finds the latch open.
        asked.countDown();
      }
    }
  }
}
