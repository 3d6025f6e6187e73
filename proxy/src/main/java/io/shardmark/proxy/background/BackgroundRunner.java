package io.shardmark.proxy.background;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All background work of one proxy: its tasks, and threads for work that is handed over. Each task
 * has its own thread, so that one that waits for a shard keeps no other waiting. Thread-safe.
 */
public final class BackgroundRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundRunner.class);
  private static final long END_SECONDS = 10;

  private final List<BackgroundTask> tasks = new CopyOnWriteArrayList<>();
  private final List<BackgroundThreads> threads = new CopyOnWriteArrayList<>();
  private final LongAdder handedOverFailures = new LongAdder();

  /**
   * A new task, which does not run before it is asked to: {@link BackgroundTask#runSoon}.
   *
   * @param name of the task in logs, health and metrics, and of its thread
   */
  public BackgroundTask task(String name, BackgroundTask.TaskWork work) {
    BackgroundTask task = new BackgroundTask(name, work, newThreads(name, 1));
    tasks.add(task);
    return task;
  }

  /** A task is not needed any more: it ends after the run that is due. */
  public void end(BackgroundTask task) {
    tasks.remove(task);
    threads.remove(task.end());
  }

  /**
   * Threads for work that is handed over. A thread that waits for such work must be answered by it
   * also if it fails: the threads only log and count that.
   */
  public ScheduledExecutorService threads(String name, int count) {
    return newThreads(name, count);
  }

  private BackgroundThreads newThreads(String name, int count) {
    BackgroundThreads made = new BackgroundThreads(name, count, handedOverFailures);
    threads.add(made);
    return made;
  }

  /** The state of each task that was ever asked to run, in the order in which they were made. */
  public List<BackgroundTask.TaskState> states() {
    return tasks.stream().filter(BackgroundTask::wasAsked).map(BackgroundTask::state).toList();
  }

  /** Failures of work that was handed over. */
  public long handedOverFailures() {
    return handedOverFailures.sum();
  }

  /** Tasks whose last run has failed, one line each. */
  public List<String> problems() {
    return tasks.stream().map(BackgroundTask::problem).filter(line -> !line.isEmpty()).toList();
  }

  /** Daemon threads for others' pools; what such a thread throws at its end is logged. */
  public static ThreadFactory threadFactory(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      thread.setUncaughtExceptionHandler(BackgroundRunner::uncaught);
      return thread;
    };
  }

  /** The handler at the top of a thread that no other handler is for. */
  public static void uncaught(Thread thread, Throwable failure) {
    LOG.error("thread {} has ended for an internal error", thread.getName(), failure);
  }

  /** Ends all threads, those that are in the middle of something after some seconds at most. */
  @Override
  public void close() {
    // Tasks are younger than the threads to which they hand work over.
    for (int i = threads.size() - 1; i >= 0; i--) {
      threads.get(i).shutdownNow();
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
    try {
      for (BackgroundThreads each : threads) {
        long left = Math.max(0, deadline - System.nanoTime());
        if (!each.awaitTermination(left, TimeUnit.NANOSECONDS)) {
          LOG.debug("a background thread is still busy");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
