package io.shardmark.sql.dialect;

/** What kind of failure a database reported; decides whether to retry and under what to count. */
public enum SqlErrorClass {
  /** The transaction conflicted with a concurrent one; running it again may succeed. */
  SERIALIZATION_FAILURE,
  /** The transaction was chosen to resolve a deadlock; running it again may succeed. */
  DEADLOCK,
  /** A lock was not granted in time. */
  LOCK_TIMEOUT,
  /** A statement took longer than it may, or was cancelled. */
  STATEMENT_TIMEOUT,
  /** The connection is unusable; whether a commit under way took effect is unknown. */
  CONNECTION_LOST,
  /** A key or check was violated. */
  CONSTRAINT,
  /** A value in a row is not what the statement, or who reads it, can work with. */
  WRONG_DATA,
  /** All else. */
  OTHER
}
