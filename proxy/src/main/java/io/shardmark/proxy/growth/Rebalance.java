package io.shardmark.proxy.growth;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which partitions go where so that all shards have about as much. Pure. Each move takes the one
 * from the fullest to the emptiest shard that makes these two most alike, as long as that is worth
 * a move.
 */
final class Rebalance {
  /** Partitions that place rows alike, as one: by the name of one of them, and its bytes. */
  record SizedPartition(String partition, int shard, long bytes) {}

  record Moved(String partition, int from, int to) {}

  private Rebalance() {}

  static List<Moved> moves(List<SizedPartition> parts, int shards) {
    List<SizedPartition> now = new ArrayList<>(parts);
    List<Moved> moves = new ArrayList<>();
    while (true) {
      long[] bytes = new long[shards];
      now.forEach(part -> bytes[part.shard()] += size(part));
      int full = 0;
      int empty = 0;
      for (int shard = 1; shard < shards; shard++) {
        full = bytes[shard] > bytes[full] ? shard : full;
        empty = bytes[shard] < bytes[empty] ? shard : empty;
      }
      int from = full;
      long gap = bytes[full] - bytes[empty];
      Optional<SizedPartition> best =
          now.stream()
              .filter(part -> part.shard() == from && size(part) < gap - gap / 10)
              .filter(part -> moves.stream().noneMatch(m -> m.partition().equals(part.partition())))
              .min(
                  Comparator.comparingLong((SizedPartition part) -> Math.abs(gap - 2 * size(part)))
                      .thenComparing(SizedPartition::partition));
      if (best.isEmpty()) {
        return moves;
      }
      SizedPartition part = best.get();
      now.remove(part);
      now.add(new SizedPartition(part.partition(), empty, part.bytes()));
      moves.add(new Moved(part.partition(), from, empty));
    }
  }

  /** Empty ones are spread too. */
  private static long size(SizedPartition part) {
    return Math.max(1, part.bytes());
  }
}
