package io.shardmark.proxy.commit;

import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/** A set of shards by index. Immutable. */
final class ShardSet {
  static final ShardSet EMPTY = new ShardSet(new BitSet());

  /** Never changed after construction. */
  private final BitSet bits;

  private ShardSet(BitSet bits) {
    this.bits = bits;
  }

  static ShardSet of(Collection<Integer> shards) {
    BitSet bits = new BitSet();
    shards.forEach(bits::set);
    return new ShardSet(bits);
  }

  ShardSet with(int shard) {
    BitSet copy = (BitSet) bits.clone();
    copy.set(shard);
    return new ShardSet(copy);
  }

  ShardSet without(int shard) {
    BitSet copy = (BitSet) bits.clone();
    copy.clear(shard);
    return new ShardSet(copy);
  }

  ShardSet union(ShardSet other) {
    BitSet copy = (BitSet) bits.clone();
    copy.or(other.bits);
    return new ShardSet(copy);
  }

  boolean contains(int shard) {
    return bits.get(shard);
  }

  boolean isEmpty() {
    return bits.isEmpty();
  }

  /** In ascending order. */
  List<Integer> indexes() {
    return bits.stream().boxed().toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ShardSet set && bits.equals(set.bits);
  }

  @Override
  public int hashCode() {
    return bits.hashCode();
  }

  @Override
  public String toString() {
    return bits.toString();
  }
}
