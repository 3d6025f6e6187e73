package io.shardmark.loader;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Stops a load in good order when the process is told to end (Ctrl-C, SIGTERM): rows on their way
 * are rolled back, {@link Load#run} fails with what is missing, and the process ends once the
 * caller has shown that and closed this object.
 */
public final class StopOnShutdown implements AutoCloseable {
  /** The longest wait for workers to notice, and then for the caller to report. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Load load;
  private final PrintStream err;
  private final Thread hook = new Thread(this::stop, "load-shutdown");
  private final CountDownLatch reported = new CountDownLatch(1);

  private volatile boolean stopping;

  private StopOnShutdown(Load load, PrintStream err) {
    this.load = load;
    this.err = err;
  }

  /**
   * Installs the hook. Close it after the outcome of the load was shown, not before.
   *
   * @param err borrowed; told that the load is being stopped
   */
  public static StopOnShutdown install(Load load, PrintStream err) {
    StopOnShutdown installed = new StopOnShutdown(load, err);
    Runtime.getRuntime().addShutdownHook(installed.hook);
    return installed;
  }

  /** True once the process was told to end. */
  public boolean isStopping() {
    return stopping;
  }

  private void stop() {
    stopping = true;
    err.println();
    err.println("Stopping the load ...");
    try {
      if (!load.stop(PATIENCE) || !reported.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        err.println("the load did not stop in time; what it had not committed is lost");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    reported.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already, and the hook has been told.
      return;
    }
  }
}
