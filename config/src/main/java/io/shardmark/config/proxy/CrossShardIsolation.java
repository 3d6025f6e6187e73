package io.shardmark.config.proxy;

/**
 * What a REPEATABLE READ or SERIALIZABLE transaction gets when it needs a second shard. There is no
 * snapshot common to several servers.
 */
public enum CrossShardIsolation {
  /** 0A000. */
  REFUSE,
  /** Each shard keeps the level among its own rows; between shards it is READ COMMITTED. */
  PER_SHARD
}
