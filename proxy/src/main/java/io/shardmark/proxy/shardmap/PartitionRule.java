package io.shardmark.proxy.shardmap;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * From a value of the sharding column to its shard, as PostgreSQL's own partition bounds say. Equal
 * rules place equal values on the same shard; implementations compare by value.
 */
public interface PartitionRule {
  /** What {@link #shardOf} answers for a value that no partition takes. */
  int NO_PARTITION = -1;

  /**
   * @param key of the class that the column's {@link KeyType} names, or null
   * @return index of the shard, or {@link #NO_PARTITION}
   */
  int shardOf(@Nullable Object key);

  /** The rule of values as they are in the column; equal ones place equal values alike. */
  default PartitionRule ofStored() {
    return this;
  }

  /** {@code hash}, {@code list} or {@code range}. */
  default String strategy() {
    return "";
  }

  /** The rule as SHOW SHARD MAP shows it. */
  default List<RulePlacement> placements() {
    return List.of();
  }

  /**
   * One partition.
   *
   * @param modulus of a hash, else null
   * @param remainder of a hash, else null
   * @param bound the partition's bound as PostgreSQL writes it: FOR VALUES ... or DEFAULT
   */
  record RulePlacement(
      @Nullable Integer modulus, @Nullable Integer remainder, String bound, int shard) {}
}
