package io.shardmark.driver.measure;

/** How a transaction ended, for counting. Only the first two are successes. */
public enum Disposition {
  COMMITTED,
  /** Rolled back on purpose (TPC-C 2.4.1.4); a success. */
  ROLLED_BACK,
  SERIALIZATION_FAILURE,
  DEADLOCK,
  LOCK_TIMEOUT,
  STATEMENT_TIMEOUT,
  /** The connection was lost or could not be opened; the outcome may be unknown. */
  CONNECTION_LOST,
  CONSTRAINT_VIOLATION,
  /** The database answered without an error but wrongly. */
  WRONG_DATA,
  OTHER_ERROR;

  public boolean isError() {
    return this != COMMITTED && this != ROLLED_BACK;
  }
}
