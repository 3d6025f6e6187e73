package io.shardmark.driver.terminal;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Hands out numbered sessions on one executor and writes down what becomes of them. Thread-safe.
 */
class ScriptedSessions implements SessionSource {
  private final TransactionExecutor executor;
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private int borrowed;
  private int refusals;

  ScriptedSessions(TransactionExecutor executor) {
    this.executor = executor;
  }

  /** So many calls of {@link #borrow} will fail. */
  ScriptedSessions refusing(int times) {
    refusals = times;
    return this;
  }

  List<String> log() {
    synchronized (log) {
      return List.copyOf(log);
    }
  }

  @Override
  public synchronized TerminalSession borrow() throws SQLException {
    if (refusals > 0) {
      refusals--;
      log.add("refused");
      throw new SQLException("no connection\nsecond line", "08001");
    }
    int number = ++borrowed;
    return new TerminalSession() {
      @Override
      public TransactionExecutor executor() {
        return transaction -> execute(number, transaction);
      }

      @Override
      public void release() {
        log.add(number + " released");
      }

      @Override
      public void rollBackAndRelease() {
        log.add(number + " rolled back");
      }

      @Override
      public void discard() {
        log.add(number + " discarded");
      }
    };
  }

  private Outcome execute(int number, Transaction transaction) throws SQLException {
    log.add(number + " executes");
    return executor.execute(transaction);
  }

  @Override
  public void abortAll() {
    log.add("aborted");
  }

  @Override
  public void close() {}
}
