package io.shardmark.proxy.routing;

/** What a statement leaves on its server connection that the proxy cannot carry to another one. */
public enum SessionEffect {
  /**
   * Stays whatever becomes of the statement: a session advisory lock, what setseed() or
   * set_config() has set, what a DO or CALL has committed before it fails.
   */
  PINS_ALWAYS,
  /** Stays if the statement succeeds, also when its transaction is rolled back: PREPARE, LOAD. */
  PINS_IF_EXECUTED,
  /** Stays if its transaction is committed: a temporary table, a cursor WITH HOLD, LISTEN. */
  PINS_IF_COMMITTED,
  /** A notification, which is sent by the commit and cannot be prepared. */
  NOTIFIES,
  /** A statement that may write takes locks as {@link Access#LOCK} does. */
  LOCKS,
  /** SET inside DO, CALL or a function, which nobody sees. */
  MAY_SET,
  /** SET or set_config of custom parameters inside the statement, perhaps. */
  MAKES_PARAMETERS,
  /** Right only where this client has called nextval itself: currval, lastval. */
  READS_SEQUENCES
}
