package io.shardmark.sql.shards;

import java.util.List;
import java.util.TreeSet;

/** A sharded table: its sharding column and the shard of each of its partitions. */
public final class TablePlacement {
  /** What {@link #shardOf} answers for a value that no partition takes. */
  public static final int NO_SHARD = -1;

  /**
   * A partition.
   *
   * @param shard index of the shard that has it
   */
  record Part(PartitionBound bound, int shard) {}

  private final String column;
  private final List<Part> parts;

  TablePlacement(String column, List<Part> parts) {
    this.column = column;
    // A default partition is asked last.
    this.parts =
        parts.stream()
            .sorted(
                (a, b) ->
                    Boolean.compare(
                        a.bound() instanceof PartitionBound.Rest,
                        b.bound() instanceof PartitionBound.Rest))
            .toList();
  }

  /** The sharding column. */
  public String column() {
    return column;
  }

  /** Index of the shard that has the rows with this value, or {@link #NO_SHARD}. */
  public int shardOf(long key) {
    for (Part part : parts) {
      if (part.bound().takes(key)) {
        return part.shard();
      }
    }
    return NO_SHARD;
  }

  /** The hash partitions in the order of their remainders; empty if one is of another kind. */
  List<HashPartition> hashPartitions() {
    TreeSet<HashPartition> found = new TreeSet<>();
    for (Part part : parts) {
      if (!(part.bound() instanceof PartitionBound.Hash hash)) {
        return List.of();
      }
      found.add(new HashPartition(hash.modulus(), hash.remainder(), part.shard()));
    }
    return List.copyOf(found);
  }
}
