package io.shardmark.driver.terminal;

import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.Workload;
import java.sql.Connection;
import java.util.List;

/** Terminals that send the same transaction over and over; there is no database. */
final class TestWorkload implements Workload {
  @Override
  public List<TransactionType> types() {
    return List.of(TestTransaction.WORK, TestTransaction.DEFERRED);
  }

  @Override
  public void prepare(Connection connection) {}

  @Override
  public Terminal newTerminal(int index) {
    TestTransaction transaction = TestTransaction.work(index);
    return () -> transaction;
  }

  @Override
  public TransactionExecutor newExecutor(Connection connection) {
    throw new UnsupportedOperationException("there is no database");
  }

  @Override
  public int followUpThreads() {
    return 1;
  }

  @Override
  public int auditCounterCount() {
    return 2;
  }
}
