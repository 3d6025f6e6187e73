package io.shardmark.driver.terminal;

import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionType;
import java.time.Duration;

/** A transaction without input, of one of two types. */
record TestTransaction(TransactionType type, int terminal) implements Transaction {
  static final TransactionType WORK =
      new TransactionType(
          0,
          "WORK",
          true,
          true,
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          1);

  static final TransactionType DEFERRED =
      new TransactionType(
          1, "DEFERRED", false, false, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(80), 1);

  static TestTransaction work(int terminal) {
    return new TestTransaction(WORK, terminal);
  }

  static TestTransaction deferred(int terminal) {
    return new TestTransaction(DEFERRED, terminal);
  }

  @Override
  public boolean isDistributed() {
    return false;
  }

  @Override
  public void countInto(long[] counters) {
    counters[type.index()]++;
  }
}
