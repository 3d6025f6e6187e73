package io.shardmark.proxy.routing;

/** What a statement may do to rows; a shard that was only read needs no second phase. */
public enum Access {
  /** Reads only, calls nothing that might write. */
  READ,
  /**
   * Locks rows (FOR UPDATE, FOR SHARE and the like): must be in the transaction, but leaves nothing
   * to make atomic.
   */
  LOCK,
  /** May write. */
  WRITE
}
