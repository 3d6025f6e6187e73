package io.shardmark.config.proxy;

/** What a REPEATABLE READ or SERIALIZABLE transaction gets when it needs a second shard. */
public enum CrossShardIsolation {
  /** 0A000. */
  REFUSE,
  /** Each shard keeps the level among its own rows; between shards it is READ COMMITTED. */
  PER_SHARD,
  /**
   * REPEATABLE READ sees every transaction over several shards whole or not at all; SERIALIZABLE is
   * refused.
   */
  SNAPSHOT
}
