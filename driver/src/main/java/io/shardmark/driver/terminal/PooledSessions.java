package io.shardmark.driver.terminal;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.measure.StatementTimes;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Sessions on HikariCP's connections. Statements are prepared once for each physical connection and
 * found again by it. Transactions run on the physical connection, so that the pool's wrappers cost
 * a borrow and a return, not something on every call.
 */
public final class PooledSessions implements SessionSource {
  private static final long SUSPECT_PERIOD_NANOS = 1_000_000_000L;
  private static final int ANSWER_SECONDS = 5;

  private final HikariDataSource pool;
  private final Executors prepare;
  private final Map<Connection, TransactionExecutor> executors = new ConcurrentHashMap<>();

  /** Those that may have broken with another one: they are asked before they are used again. */
  private final Set<Connection> suspects = ConcurrentHashMap.newKeySet();

  private final AtomicLong lastSuspectedNanos =
      new AtomicLong(System.nanoTime() - SUSPECT_PERIOD_NANOS);

  /**
   * @param pool fixed size, auto-commit off; closed with this object
   * @param prepare prepares a workload's statements on each connection
   */
  public PooledSessions(HikariDataSource pool, Executors prepare) {
    this.pool = pool;
    this.prepare = prepare;
  }

  /** As {@link io.shardmark.driver.benchmark.Workload#newExecutor}. */
  @FunctionalInterface
  public interface Executors {
    TransactionExecutor on(Connection connection) throws SQLException;

    /** The same ones, each of whose statements is timed. */
    default Executors timed(StatementTimes times) {
      return connection -> TimedConnection.open(this, connection, times);
    }
  }

  @Override
  public void open(int count, BooleanSupplier stopped) throws SQLException {
    List<TerminalSession> opened = new ArrayList<>(count);
    boolean prepared = false;
    try {
      // Each is kept until all are there, so that each is another one.
      while (opened.size() < count && !stopped.getAsBoolean()) {
        TerminalSession session = borrowPatiently(stopped);
        opened.add(session);
        session.executor();
      }
      prepared = true;
    } finally {
      for (TerminalSession session : opened) {
        if (prepared) {
          session.release();
        } else {
          session.discard();
        }
      }
    }
  }

  /** The pool opens one connection after the other: the last of many may come late. */
  private TerminalSession borrowPatiently(BooleanSupplier stopped) throws SQLException {
    while (true) {
      try {
        return borrow();
      } catch (SQLTransientConnectionException e) {
        // A cause is the server's refusal; without one the pool has not come to it yet.
        if (e.getCause() != null || stopped.getAsBoolean()) {
          throw e;
        }
      }
    }
  }

  @Override
  public TerminalSession borrow() throws SQLException {
    while (true) {
      Connection pooled = pool.getConnection();
      PooledSession session = new PooledSession(pooled, pooled.unwrap(Connection.class));
      if (session.isAlive()) {
        return session;
      }
      session.drop();
    }
  }

  /**
   * A connection that broke is rarely alone: after a restart of the server the idle ones are dead
   * too. Those that are must fail no transaction each, and those that are not must stay: thousands
   * of new connections would be a fault of the driver's. They become suspects once a second at
   * most.
   */
  private void suspectOthers() {
    long now = System.nanoTime();
    long last = lastSuspectedNanos.get();
    if (now - last >= SUSPECT_PERIOD_NANOS && lastSuspectedNanos.compareAndSet(last, now)) {
      suspects.addAll(executors.keySet());
    }
  }

  @Override
  public Usage usage() {
    HikariPoolMXBean now = pool.getHikariPoolMXBean();
    return new Usage(
        now.getActiveConnections(), now.getIdleConnections(), now.getThreadsAwaitingConnection());
  }

  @Override
  public void abortAll() {
    List.copyOf(executors.keySet()).forEach(this::abort);
  }

  private void abort(Connection physical) {
    try {
      physical.abort(Runnable::run);
    } catch (SQLException e) {
      // It is closed already; nothing will be found prepared on it again.
      executors.remove(physical);
    }
  }

  @Override
  public void close() {
    pool.close();
    executors.clear();
  }

  private final class PooledSession implements TerminalSession {
    private final Connection pooled;
    private final Connection physical;

    PooledSession(Connection pooled, Connection physical) {
      this.pooled = pooled;
      this.physical = physical;
    }

    @Override
    public TransactionExecutor executor() throws SQLException {
      TransactionExecutor executor = executors.get(physical);
      if (executor == null) {
        executor = prepare.on(physical);
        executors.put(physical, executor);
      }
      return executor;
    }

    @Override
    public void rollBackAndRelease() {
      try {
        // In auto-commit mode a failed statement has left nothing open.
        if (!physical.getAutoCommit()) {
          physical.rollback();
        }
        pooled.close();
      } catch (SQLException e) {
        discard();
      }
    }

    @Override
    public void release() {
      try {
        pooled.close();
      } catch (SQLException e) {
        discard();
      }
    }

    @Override
    public void discard() {
      drop();
      suspectOthers();
    }

    private boolean isAlive() throws SQLException {
      return !suspects.remove(physical) || physical.isValid(ANSWER_SECONDS);
    }

    private void drop() {
      executors.remove(physical);
      suspects.remove(physical);
      pool.evictConnection(pooled);
    }
  }
}
