package io.shardmark.sql.shards;

import io.shardmark.sql.hash.PartitionHash;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses how warehouses are hashed over shards so that every shard has its share. A hash of a few
 * numbers is uneven, so remainders are dealt out by how many warehouses they take, with the
 * smallest modulus that comes close: each partition costs the servers locks and planning.
 */
public final class HashLayout {
  /** With more partitions than this for a shard, their number costs more than evenness gains. */
  private static final int MOST_PARTS_PER_SHARD = 8;

  /** A shard may have this much more than its share, in percent. */
  private static final int TOLERANCE_PERCENT = 2;

  private HashLayout() {}

  /**
   * The partitions that each table gets, in the order of their remainders.
   *
   * @param warehouses 1 .. this are spread
   * @param shards from 1; one alone has one partition
   * @param fewest as many partitions at least
   */
  public static List<HashPartition> of(int warehouses, int shards, int fewest) {
    long share = (warehouses + (long) shards - 1) / shards;
    long good = share + share * TOLERANCE_PERCENT / 100;
    List<HashPartition> best = List.of();
    long least = Long.MAX_VALUE;
    int first = shards == 1 ? 1 : Math.max(1, (fewest + shards - 1) / shards);
    int last = Math.max(first, MOST_PARTS_PER_SHARD);
    for (int factor = first; factor <= last && least > good; factor++) {
      int[] counts = counts(warehouses, factor * shards);
      int[] load = new int[shards];
      List<HashPartition> layout = deal(counts, load);
      int most = IntStream.of(load).max().orElse(0);
      if (most < least) {
        least = most;
        best = layout;
      }
    }
    return best;
  }

  private static int[] counts(int warehouses, int modulus) {
    int[] counts = new int[modulus];
    for (int warehouse = 1; warehouse <= warehouses; warehouse++) {
      counts[PartitionHash.remainder(PartitionHash.ofKey(warehouse), modulus)]++;
    }
    return counts;
  }

  /** Largest first, each to the shard that has least; among equals to the one with fewest parts. */
  private static List<HashPartition> deal(int[] counts, int[] load) {
    int[] parts = new int[load.length];
    List<HashPartition> layout = new ArrayList<>();
    IntStream.range(0, counts.length)
        .boxed()
        .sorted(Comparator.comparingInt((Integer remainder) -> counts[remainder]).reversed())
        .forEach(
            remainder -> {
              int shard =
                  IntStream.range(0, load.length)
                      .boxed()
                      .min(
                          Comparator.comparingInt((Integer s) -> load[s])
                              .thenComparingInt(s -> parts[s]))
                      .orElseThrow();
              load[shard] += counts[remainder];
              parts[shard]++;
              layout.add(new HashPartition(counts.length, remainder, shard));
            });
    layout.sort(Comparator.naturalOrder());
    return List.copyOf(layout);
  }
}
