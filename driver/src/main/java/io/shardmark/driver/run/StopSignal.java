package io.shardmark.driver.run;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM: the hook says that it is time to end, then holds the JVM until all is written
 * down, or until a limit that keeps what hangs from being unstoppable. Safe on any thread.
 */
public final class StopSignal implements AutoCloseable {
  private final String what;
  private final Duration patience;
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook;

  /**
   * @param what is to end, as in "the run did not end"
   * @param patience how long it may take to end
   * @param onSignal called once, on the thread of the hook
   */
  public StopSignal(String what, Duration patience, Runnable onSignal) {
    this.what = what;
    this.patience = patience;
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
      if (!finished.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        System.err.println(
            "ERROR: the %s did not end in %d s after the signal"
                .formatted(what, patience.toSeconds()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** True if a signal came. */
  public boolean isAsked() {
    return asked.getCount() == 0;
  }

  /**
   * Waits, but not on after a signal.
   *
   * @return true if one came
   */
  public boolean awaitAsked(Duration most) throws InterruptedException {
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
