package io.shardmark.driver.run;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM: the hook says that it is time to end, then holds the JVM until the verb has
 * ended, all is written and faults are reported, or until a limit that keeps what hangs from being
 * unstoppable. Safe on any thread.
 */
public final class StopSignal implements AutoCloseable {
  /** A process runs one verb. */
  private static final CountDownLatch VERB_ENDED = new CountDownLatch(1);

  private final String what;
  private final Duration patience;
  private final CountDownLatch asked = new CountDownLatch(1);
  private final Thread hook;
  private volatile long askedNanos;

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
              askedNanos = System.nanoTime();
              asked.countDown();
              onSignal.run();
              awaitEndOfVerb();
            },
            "signal");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Nothing is left to do or to say: a JVM that a signal ends may go. */
  public static void verbHasEnded() {
    VERB_ENDED.countDown();
  }

  private void awaitEndOfVerb() {
    try {
      if (!VERB_ENDED.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
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

  /** How long the verb may still take; without a limit before a signal. */
  public long leftNanos() {
    return isAsked() ? askedNanos + patience.toNanos() - System.nanoTime() : Long.MAX_VALUE;
  }

  /**
   * Waits, but not on after a signal.
   *
   * @return true if one came
   */
  public boolean awaitAsked(Duration most) throws InterruptedException {
    return asked.await(most.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** There is nothing more that a signal should end in good order. */
  @Override
  public void close() {
    if (!isAsked()) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The signal came this very moment.
        asked.countDown();
      }
    }
  }
}
