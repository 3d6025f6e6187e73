package io.shardmark.proxy.server;

/** Keeps clients from shards that must not be used. Asked on event loops; does not block. */
@FunctionalInterface
public interface ShardGate {
  /**
   * @param shard index
   * @return "" if the shard may be used, else why not
   */
  String whyClosed(int shard);
}
