package io.shardmark.sql.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.shardmark.config.ConfigException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Opens pools: the connections first, several at a time, then HikariCP around them. */
final class PoolOpener {
  /**
   * Connections opened at a time. Enough to cover network waits; a server that forks a process and
   * checks a password for each is not overrun.
   */
  private static final int MAX_PARALLEL_CONNECTS = 16;

  /** How long HikariCP may take to walk over connections that are already open. */
  private static final Duration FILL_TIMEOUT = Duration.ofSeconds(60);

  /** HikariCP's switch for how long after its last use a connection is trusted unasked. */
  private static final String ALIVE_BYPASS = "com.zaxxer.hikari.aliveBypassWindowMs";

  static {
    // HikariCP reads this once, from a system property only. Its default of 500 ms would put a
    // round
    // trip before every transaction of a paced terminal. The user's own setting stays.
    if (System.getProperty(ALIVE_BYPASS) == null) {
      System.setProperty(ALIVE_BYPASS, Long.toString(Duration.ofDays(1).toMillis()));
    }
  }

  private PoolOpener() {}

  static HikariDataSource open(DatabaseConnections connections, PoolConfig pool) {
    Queue<Connection> opened = new ConcurrentLinkedQueue<>();
    boolean complete = false;
    HikariDataSource dataSource = null;
    try {
      openAll(connections, pool, opened);
      dataSource = new HikariDataSource(hikariConfig(connections, pool, opened));
      awaitFilled(dataSource, pool);
      complete = true;
      return dataSource;
    } finally {
      if (!complete) {
        if (dataSource != null) {
          dataSource.close();
        }
        opened.forEach(PoolOpener::closeQuietly);
      }
    }
  }

  private static HikariConfig hikariConfig(
      DatabaseConnections connections, PoolConfig pool, Queue<Connection> opened) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(pool.name());
    config.setDataSource(new PoolDataSource(connections, opened));
    config.setMaximumPoolSize(pool.size());
    config.setMinimumIdle(pool.size());
    config.setAutoCommit(false);
    config.setConnectionTimeout(pool.borrowTimeout().toMillis());
    config.setValidationTimeout(Math.min(5_000, pool.borrowTimeout().toMillis()));
    // Replacing a healthy connection in mid-run would show as a slow transaction.
    config.setMaxLifetime(0);
    config.setIdleTimeout(0);
    config.setRegisterMbeans(false);
    config.setThreadFactory(task -> new PoolDataSource.PoolThread(task, pool.name() + "-pool"));
    return config;
  }

  private static void openAll(
      DatabaseConnections connections, PoolConfig pool, Queue<Connection> opened) {
    ExecutorService executor =
        Executors.newFixedThreadPool(
            Math.min(pool.size(), MAX_PARALLEL_CONNECTS),
            task -> new Thread(task, pool.name() + "-connect"));
    List<Future<Boolean>> openings = new ArrayList<>(pool.size());
    try {
      for (int i = 0; i < pool.size(); i++) {
        openings.add(executor.submit(() -> opened.add(connections.connect())));
      }
      for (Future<Boolean> opening : openings) {
        opening.get();
      }
    } catch (ExecutionException e) {
      throw failure(connections, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while opening connections", e);
    } finally {
      openings.forEach(opening -> opening.cancel(false));
      executor.shutdown();
      awaitStopped(executor);
    }
  }

  /** Waits for connects under way, so that what they open is in the queue and can be closed. */
  private static void awaitStopped(ExecutorService executor) {
    boolean interrupted = false;
    while (!executor.isTerminated()) {
      try {
        executor.awaitTermination(1, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static RuntimeException failure(DatabaseConnections connections, ExecutionException e) {
    Throwable cause = e.getCause();
    if (cause instanceof SQLException sql) {
      return connections.failure(sql);
    }
    return cause instanceof ConfigException config
        ? config
        : new IllegalStateException("cannot open a connection", cause);
  }

  private static void awaitFilled(HikariDataSource dataSource, PoolConfig pool) {
    long deadline = System.nanoTime() + FILL_TIMEOUT.toNanos();
    while (dataSource.getHikariPoolMXBean().getTotalConnections() < pool.size()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("pool " + pool.name() + " did not fill");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // Another failure is being reported, and the process gives this connection up anyway.
    }
  }
}
