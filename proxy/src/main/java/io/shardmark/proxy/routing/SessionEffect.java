package io.shardmark.proxy.routing;

/** What a statement leaves on its server connection that the proxy cannot carry to another one. */
public enum SessionEffect {
  /** Temporary table, SQL-level PREPARE, WITH HOLD cursor, session advisory lock, LISTEN, LOAD. */
  PINS_CONNECTION,
  /** SET inside DO, CALL or a function, which nobody sees. */
  MAY_SET,
  /** Right only where this client has called nextval itself: currval, lastval. */
  READS_SEQUENCES
}
