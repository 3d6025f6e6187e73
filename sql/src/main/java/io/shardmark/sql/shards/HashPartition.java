package io.shardmark.sql.shards;

import java.util.Comparator;
import java.util.List;

/**
 * A partition of a hash-partitioned table and the shard that has it.
 *
 * @param modulus 1 or more
 * @param remainder 0 .. modulus - 1
 * @param shard index, from 0
 */
public record HashPartition(int modulus, int remainder, int shard)
    implements Comparable<HashPartition> {
  private static final Comparator<HashPartition> ORDER =
      Comparator.comparingInt(HashPartition::modulus)
          .thenComparingInt(HashPartition::remainder)
          .thenComparingInt(HashPartition::shard);

  @Override
  public int compareTo(HashPartition other) {
    return ORDER.compare(this, other);
  }

  /** The name this partition of a table gets: the table's and the remainder. */
  String nameIn(String table) {
    return table + "_" + remainder;
  }

  /** Makes this partition of a table, wherever the endpoint puts it. */
  String create(String table) {
    return "create table %s partition of %s for values with (modulus %d, remainder %d)"
        .formatted(nameIn(table), table, modulus, remainder);
  }

  /** The same on its shard, by the placement clause that the proxy knows. */
  String createOnShard(String table) {
    return create(table) + " with (shard = %d)".formatted(shard + 1);
  }

  /** The statements that make all partitions of a table. */
  public static List<String> createAll(String table, List<HashPartition> layout) {
    boolean oneShard = layout.stream().mapToInt(HashPartition::shard).distinct().count() <= 1;
    return layout.stream()
        .map(partition -> oneShard ? partition.create(table) : partition.createOnShard(table))
        .toList();
  }
}
