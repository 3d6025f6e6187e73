package io.shardmark.config;

/** Key {@code shardMap}: whether an endpoint is asked which shard has which rows. */
public enum ShardMapUse {
  /** It is asked; what does not know the question is one server. */
  AUTO,
  /** It is not asked and is taken for one server. */
  NONE
}
