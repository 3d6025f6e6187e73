package io.shardmark.driver.adversity;

import io.shardmark.config.ConfigException;
import io.shardmark.config.FirstLine;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Many sessions that log in all at once, stay for a time, and leave. */
final class SessionStorm implements EventAction {
  private final ConnectionSource connections;
  private final int count;
  private final Duration length;
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<String> refusals = new ArrayList<>();

  SessionStorm(ConnectionSource connections, int count, Duration length) {
    this.connections = connections;
    this.count = count;
    this.length = length;
  }

  @Override
  public String run() throws InterruptedException {
    long end = System.nanoTime() + length.toNanos();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(() -> stay(end), "storm");
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    synchronized (refusals) {
      return refusals.isEmpty()
          ? ""
          : "%d of %d sessions were refused: %s".formatted(refusals.size(), count, refusals.get(0));
    }
  }

  private void stay(long end) {
    try {
      Connection connection = connections.open();
      try {
        over.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      } finally {
        connection.close();
      }
    } catch (SQLException | ConfigException e) {
      synchronized (refusals) {
        refusals.add(FirstLine.of(e));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void cancel() {
    over.countDown();
  }
}
