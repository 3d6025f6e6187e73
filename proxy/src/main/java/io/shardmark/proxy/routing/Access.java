package io.shardmark.proxy.routing;

/** What a statement may do to rows; a shard that was only read needs no second phase. */
public enum Access {
  /** Reads only, calls nothing that might write. */
  READ,
  /** Changes what belongs to no transaction, such as a sequence, or depends on that. */
  STATE,
  /**
   * Takes locks that others wait for until the transaction ends (FOR UPDATE, LOCK TABLE, advisory
   * locks): must be in the transaction, but leaves nothing to make atomic.
   */
  LOCK,
  /** May write. */
  WRITE
}
