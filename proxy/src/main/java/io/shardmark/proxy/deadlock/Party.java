package io.shardmark.proxy.deadlock;

/** Who waits or is waited for. */
sealed interface Party {
  /**
   * A transaction of this proxy, on all its shards together, also where it is prepared: there it
   * waits for its decision.
   */
  record Transaction(long id) implements Party {}

  /** A server process that no transaction of this proxy uses: another client or proxy. */
  record Stranger(int shard, int processId) implements Party {}

  /** A prepared transaction that nobody here is committing: recovery's, or another proxy's. */
  record Prepared(int shard) implements Party {}
}
