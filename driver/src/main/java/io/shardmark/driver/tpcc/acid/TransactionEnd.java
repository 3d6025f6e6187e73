package io.shardmark.driver.tpcc.acid;

/**
 * How a transaction of a test ended.
 *
 * @param sqlState of the error that ended it; empty if it did what it was to do
 * @param message the error's first line
 */
record TransactionEnd(String sqlState, String message) {
  static final TransactionEnd COMMITTED = new TransactionEnd("", "");

  boolean isDone() {
    return sqlState.isEmpty();
  }

  /** Aborted for the sake of another transaction: serialization failure or deadlock. */
  boolean isRepeatable() {
    return sqlState.startsWith("40");
  }
}
