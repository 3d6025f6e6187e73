package io.shardmark.loader;

import io.shardmark.loader.data.LoadUnit;
import io.shardmark.loader.data.RowWriteException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a load. They share a queue; the first failure, or {@link #stop}, ends them all at
 * the next block of rows.
 */
final class LoadWorkers {
  private final UnitQueue queue;
  private final LoadListener listener;
  private final AtomicBoolean stop;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  LoadWorkers(UnitQueue queue, LoadListener listener, AtomicBoolean stop) {
    this.queue = queue;
    this.listener = listener;
    this.stop = stop;
  }

  /**
   * Runs until the queue is empty, a worker fails or the load is stopped.
   *
   * @return the first failure, or null
   * @throws InterruptedException if the calling thread is interrupted; the workers have ended
   */
  @Nullable Throwable run(int workers, UnitSession.Factory sessions) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      int worker = i;
      Thread thread = new Thread(() -> work(worker, sessions), "loader-%03d".formatted(i));
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    InterruptedException interrupted = null;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          stop.set(true);
          interrupted = e;
        }
      }
    }
    if (interrupted != null) {
      throw interrupted;
    }
    return failure.get();
  }

  private void work(int worker, UnitSession.Factory sessions) {
    try (UnitSession session = sessions.open()) {
      LoadUnit unit = queue.take(worker);
      while (unit != null && !stop.get()) {
        queue.completed(worker, unit, session.load(unit));
        unit = queue.take(worker);
      }
    } catch (SQLException | IOException | RuntimeException e) {
      fail(worker, e);
    } catch (Error e) {
      fail(worker, e);
      throw e;
    }
  }

  private void fail(int worker, Throwable e) {
    boolean isConsequence = stop.get() && e instanceof RowWriteException;
    stop.set(true);
    if (!isConsequence && failure.compareAndSet(null, e)) {
      listener.workerFailed(worker, e);
    }
  }
}
