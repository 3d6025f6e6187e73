package io.shardmark.driver.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a run cleanly on Ctrl-C and SIGTERM: the hook asks for the end, then holds the JVM until the
 * main thread has written the figures, or until a limit that keeps a hanging run from being
 * unstoppable.
 */
final class RunSignals implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 30;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean interrupted;

  /**
   * @param onSignal called once, on the thread of the hook; must be quick
   */
  RunSignals(Runnable onSignal) {
    hook =
        new Thread(
            () -> {
              interrupted = true;
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
            "ERROR: the run did not end in " + PATIENCE_SECONDS + " s after the signal");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isInterrupted() {
    return interrupted;
  }

  /** The figures are written: the JVM may go. */
  @Override
  public void close() {
    finished.countDown();
    if (!interrupted) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The signal came this very moment; the hook finds the latch open.
        interrupted = true;
      }
    }
  }
}
