package io.shardmark.proxy.ddl;

import java.util.concurrent.CompletionStage;

/** Orders moves of partitions to other shards. Any thread may call. */
@FunctionalInterface
public interface PartitionMoves {
  /**
   * Orders one.
   *
   * @param partition as SQL takes its name
   * @return completed with one line, or with why it cannot be made; on any thread
   */
  CompletionStage<String> move(String partition, String shard);
}
