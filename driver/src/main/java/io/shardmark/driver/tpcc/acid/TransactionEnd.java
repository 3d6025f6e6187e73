package io.shardmark.driver.tpcc.acid;

/**
 * How a transaction of a test ended.
 *
 * @param sqlState of the error that ended it, or the test's word for one; empty if it did what it
 *     was to do
 * @param message the error's first line
 */
record TransactionEnd(How how, String sqlState, String message) {
  static final TransactionEnd DONE = new TransactionEnd(How.DONE, "", "");

  enum How {
    DONE,
    /** For the sake of another transaction: serialization failure or deadlock. */
    ABORTED,
    /** By any other error. */
    FAILED
  }

  boolean isDone() {
    return how == How.DONE;
  }

  boolean isAborted() {
    return how == How.ABORTED;
  }
}
