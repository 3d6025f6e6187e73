package io.shardmark.proxy.shardmap;

import java.util.Optional;

/** How a table's rows are spread over the shards. */
public sealed interface Sharding {
  /**
   * Name of the CHECK constraint by which a shard's catalog says that the table is on this shard
   * only. Without it a table that not all shards have may be about to be made on the others.
   */
  String ONE_SHARD_MARK = "shardmark one shard";

  /**
   * Name of the CHECK constraint of a table that rows are copied into before it becomes a
   * partition: no table to clients yet.
   */
  String ARRIVING_MARK = "shardmark arriving";

  /** Present whole on every shard; read anywhere, written everywhere. */
  record Reference() implements Sharding {}

  /**
   * Each row on one shard, by one column.
   *
   * @param column the sharding column
   * @param keyType how its values are read from a statement
   * @param rule from value to shard; two tables with equal rules are co-located
   */
  record ByColumn(String column, KeyType keyType, PartitionRule rule) implements Sharding {}

  /**
   * Present on one shard only: a partition addressed by its own name, or a table of one shard.
   *
   * @param shard index of the shard
   * @param whole a table that has no rows elsewhere
   * @param uncheckedKey of a default partition, and of what is below it, the sharding column: the
   *     shard does not know the bounds of partitions on other shards, so it would take their rows
   */
  record OnShard(int shard, boolean whole, Optional<String> uncheckedKey) implements Sharding {
    /** Of a table that is no default partition. */
    public OnShard(int shard, boolean whole) {
      this(shard, whole, Optional.empty());
    }

    /** Of a partition. */
    public OnShard(int shard) {
      this(shard, false);
    }
  }

  /**
   * Present, but in a way that no statement on it can be answered right: statements that name it
   * are refused.
   *
   * @param reason half a sentence that follows the table's name: "has columns that differ between
   *     shards"
   */
  record Unroutable(String reason) implements Sharding {}
}
