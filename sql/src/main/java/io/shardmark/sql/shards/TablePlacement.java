package io.shardmark.sql.shards;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A sharded table: its sharding column and the shard of each of its partitions. */
public final class TablePlacement {
  /** What {@link #shardOf} answers for a value that no partition takes. */
  public static final int NO_SHARD = -1;

  /**
   * A partition.
   *
   * @param column the sharding column of its table
   * @param shard index of the shard that has it
   */
  record PlacedPartition(String table, String column, PartitionBound bound, int shard) {}

  private final String column;
  private final List<PlacedPartition> parts;

  private TablePlacement(List<PlacedPartition> parts) {
    this.column = parts.get(0).column();
    // A default partition is asked last.
    this.parts =
        parts.stream()
            .sorted(Comparator.comparing(part -> part.bound() instanceof PartitionBound.Rest))
            .toList();
  }

  /** The tables that have these partitions, by name. */
  static Map<String, TablePlacement> of(List<PlacedPartition> parts) {
    return parts.stream()
        .collect(
            Collectors.groupingBy(
                PlacedPartition::table,
                Collectors.collectingAndThen(Collectors.toList(), TablePlacement::new)));
  }

  /** The sharding column. */
  public String column() {
    return column;
  }

  /** Index of the shard that has the rows with this value, or {@link #NO_SHARD}. */
  public int shardOf(long key) {
    for (PlacedPartition part : parts) {
      if (part.bound().takes(key)) {
        return part.shard();
      }
    }
    return NO_SHARD;
  }

  /** The hash partitions in the order of their remainders; empty if one is of another kind. */
  List<HashPartition> hashPartitions() {
    TreeSet<HashPartition> found = new TreeSet<>();
    for (PlacedPartition part : parts) {
      if (!(part.bound() instanceof PartitionBound.Hash hash)) {
        return List.of();
      }
      found.add(new HashPartition(hash.modulus(), hash.remainder(), part.shard()));
    }
    return List.copyOf(found);
  }
}
