package io.shardmark.proxy.shardmap;

import org.jspecify.annotations.Nullable;

/**
 * From a value of the sharding column to its shard, as PostgreSQL's own partition bounds say. Equal
 * rules place equal values on the same shard; implementations are records.
 */
public interface PartitionRule {
  /** What {@link #shardOf} answers for a value that no partition takes. */
  int NO_PARTITION = -1;

  /**
   * @param key a {@link Long} or {@link String} after the column's {@link KeyType}, or null
   * @return index of the shard, or {@link #NO_PARTITION}
   */
  int shardOf(@Nullable Object key);
}
