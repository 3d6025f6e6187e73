package io.shardmark.proxy.deadlock;

/** Who waits or is waited for. */
sealed interface Party {
  /** A transaction of this proxy, on all its shards together. */
  record Transaction(long id) implements Party {}

  /** A server process that no transaction of this proxy uses: another client or proxy. */
  record Stranger(int shard, int processId) implements Party {}

  /** A prepared transaction: it waits for nobody, so it is in no cycle. */
  record Prepared(int shard) implements Party {}
}
