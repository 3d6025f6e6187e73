package io.shardmark.proxy.background;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that is done again and again, one run at a time, on its own thread. Nothing that a run
 * throws ends it: the failure is logged and counted, and the next run comes {@link #RETRY} later.
 * Thread-safe; its methods do not block.
 */
public final class BackgroundTask {
  /** As the pause after a run: no run until one is asked for. */
  public static final Duration UNTIL_ASKED = Duration.ofDays(Integer.MAX_VALUE);

  /** After a run that has failed. */
  static final Duration RETRY = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundTask.class);

  private final String name;
  private final TaskWork work;
  private final BackgroundThreads thread;
  private final long startNanos = System.nanoTime();
  private @Nullable ScheduledFuture<?> next;
  private long runs;
  private long failures;
  private long lastSuccessNanos = startNanos;
  private boolean asked;
  private boolean succeededOnce;
  private String lastFailure = "";

  /** What a task does. */
  @FunctionalInterface
  public interface TaskWork {
    /**
     * Runs once; may block.
     *
     * @return how long to pause before the next run, or {@link #UNTIL_ASKED}
     * @throws Exception if the run has failed
     */
    Duration run() throws Exception;
  }

  /**
   * The state of a task.
   *
   * @param runs that have ended, failed ones included
   * @param failure of the last run, one line; empty if it succeeded or there was none
   * @param sinceSuccess since a run last succeeded; since the start as long as none has
   */
  public record TaskState(
      String name, long runs, long failures, Optional<String> failure, Duration sinceSuccess) {}

  BackgroundTask(String name, TaskWork work, BackgroundThreads thread) {
    this.name = name;
    this.work = work;
    this.thread = thread;
  }

  /** Runs as soon as the run that may be under way has ended. Many requests make one run. */
  public void runSoon() {
    runWithin(Duration.ZERO);
  }

  /** Runs when that time has passed, or earlier if an earlier run is due. */
  public synchronized void runWithin(Duration delay) {
    if (thread.isShutdown() || delay.equals(UNTIL_ASKED)) {
      return;
    }
    asked = true;
    ScheduledFuture<?> due = next;
    if (due != null) {
      if (due.getDelay(TimeUnit.NANOSECONDS) <= delay.toNanos()) {
        return;
      }
      due.cancel(false);
    }
    next = thread.schedule(this::run, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  BackgroundThreads end() {
    thread.shutdown();
    return thread;
  }

  private void run() {
    synchronized (this) {
      // What is asked for from now on may need a run that begins later than this one.
      next = null;
    }
    Duration pause = RETRY;
    try {
      pause = work.run();
      succeeded();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the proxy ends
    } catch (Throwable e) { // top of a thread
      failed(e);
    } finally {
      runWithin(pause);
    }
  }

  private synchronized void succeeded() {
    runs++;
    succeededOnce = true;
    lastSuccessNanos = System.nanoTime();
    if (!lastFailure.isEmpty()) {
      LOG.info("background task {} succeeds again", name);
      lastFailure = "";
    }
  }

  private synchronized void failed(Throwable failure) {
    if (thread.isShutdown()) {
      LOG.debug("background task {} was cut off by the end of the proxy", name, failure);
      return;
    }
    runs++;
    failures++;
    String line = String.valueOf(failure).replaceAll("\\s+", " ");
    if (line.equals(lastFailure)) {
      LOG.error("background task {} has failed again: {}", name, line);
    } else {
      LOG.error(
          "background task {} has failed; it runs again in {} s", name, RETRY.toSeconds(), failure);
      lastFailure = line;
    }
  }

  /** Whether it was ever asked to run. */
  synchronized boolean wasAsked() {
    return asked;
  }

  /** Its present state. */
  public synchronized TaskState state() {
    return new TaskState(
        name,
        runs,
        failures,
        lastFailure.isEmpty() ? Optional.empty() : Optional.of(lastFailure),
        Duration.ofNanos(System.nanoTime() - lastSuccessNanos));
  }

  /** "" if its last run succeeded, else one line. */
  synchronized String problem() {
    if (lastFailure.isEmpty()) {
      return "";
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - lastSuccessNanos);
    return "background task %s has failed: %s; %s %d s ago"
        .formatted(
            name, lastFailure, succeededOnce ? "it last succeeded" : "it was first run", seconds);
  }
}
