package io.shardmark.proxy.background;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Daemon threads of one name for work that others hand over. What that work throws is logged and
 * counted here, at the top of the thread, unless it goes to a future that somebody asked for.
 */
final class BackgroundThreads extends ScheduledThreadPoolExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundThreads.class);

  private final String name;
  private final LongAdder failures;

  BackgroundThreads(String name, int count, LongAdder failures) {
    super(
        count,
        work -> {
          Thread thread = new Thread(work, name);
          thread.setDaemon(true);
          return thread;
        });
    this.name = name;
    this.failures = failures;
    setRemoveOnCancelPolicy(true);
    setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  protected void afterExecute(Runnable work, Throwable thrown) {
    Throwable failure = thrown;
    if (failure == null && work instanceof Future<?> future && future.isDone()) {
      try {
        future.get();
      } catch (ExecutionException e) {
        failure = e.getCause();
      } catch (CancellationException e) {
        return; // nobody wants it any more
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (failure != null) {
      failures.increment();
      LOG.error("work on thread {} has failed", name, failure);
    }
  }
}
