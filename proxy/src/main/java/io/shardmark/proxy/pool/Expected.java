package io.shardmark.proxy.pool;

/** The kinds of answers a server connection waits for, by what was sent to it. */
public enum Expected {
  /** ParseComplete, BindComplete and CommandComplete of BEGIN. */
  BEGIN,
  /** ParseComplete. */
  PARSE,
  /** BindComplete. */
  BIND,
  /** ParameterDescription, then RowDescription or NoData. */
  DESCRIBE_STATEMENT,
  /** RowDescription or NoData. */
  DESCRIBE_PORTAL,
  /** Rows or COPY data, up to CommandComplete, EmptyQueryResponse or PortalSuspended. */
  EXECUTE,
  /** CloseComplete. */
  CLOSE,
  /** ReadyForQuery. */
  SYNC,
  /** Everything up to ReadyForQuery. */
  QUERY
}
