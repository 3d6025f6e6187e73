package io.shardmark.proxy.placement;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** On which shards this proxy is present. Guarded by the meeting. */
final class Presence {
  private final int shards;
  private final BitSet joined = new BitSet();

  /** Where it has been tried since the proxy was last present nowhere. */
  private final BitSet tried = new BitSet();

  /** Moves that were under way before the proxy could hear of them, by shard. */
  private final Map<Integer, Set<Integer>> unheard = new HashMap<>();

  /** Grows whenever a shard is lost. */
  private int losses;

  Presence(int shards) {
    this.shards = shards;
  }

  void join(int shard, Set<Integer> underWay) {
    joined.set(shard);
    tried.set(shard);
    unheard.put(shard, new HashSet<>(underWay));
  }

  /** Whether the proxy is present nowhere from now on. */
  boolean lose(int shard) {
    boolean was = joined.get(shard);
    joined.clear(shard);
    unheard.remove(shard);
    losses++;
    if (was && joined.isEmpty()) {
      tried.clear();
    }
    tried.set(shard);
    return was && joined.isEmpty();
  }

  int losses() {
    return losses;
  }

  /** Moves that have to end before the proxy knows where tables are. */
  boolean hasUnheard(int shard) {
    return !unheard.getOrDefault(shard, Set.of()).isEmpty();
  }

  void stillUnderWay(int shard, Set<Integer> underWay) {
    unheard.getOrDefault(shard, new HashSet<>()).retainAll(underWay);
  }

  /** Whether no shard that could be asked is silent about moves. */
  boolean isSettled() {
    return !joined.isEmpty()
        && tried.cardinality() == shards
        && unheard.values().stream().allMatch(Set::isEmpty);
  }

  /** Whether no shard can be reached. */
  boolean isNowhere() {
    return joined.isEmpty() && tried.cardinality() == shards;
  }

  boolean isCoveredBy(Set<Integer> answered) {
    return joined.stream().allMatch(answered::contains);
  }
}
