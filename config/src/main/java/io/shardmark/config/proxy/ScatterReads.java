package io.shardmark.config.proxy;

/** What a READ COMMITTED statement that reads several shards sees of transactions over them. */
public enum ScatterReads {
  /** Each whole or not at all, for one round trip more. */
  CONSISTENT,
  /** Perhaps one shard's part and not yet another's. */
  FAST
}
