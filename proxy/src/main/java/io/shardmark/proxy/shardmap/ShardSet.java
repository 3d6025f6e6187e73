package io.shardmark.proxy.shardmap;

import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/** A set of shards by index. Immutable; the sets of one shard are shared. */
public final class ShardSet {
  public static final ShardSet EMPTY = new ShardSet(new BitSet());

  private static final ShardSet[] SINGLES = new ShardSet[256];

  static {
    for (int i = 0; i < SINGLES.length; i++) {
      SINGLES[i] = of(List.of(i));
    }
  }

  /** Never changed after construction. */
  private final BitSet bits;

  private ShardSet(BitSet bits) {
    this.bits = bits;
  }

  public static ShardSet of(Collection<Integer> shards) {
    BitSet bits = new BitSet();
    shards.forEach(bits::set);
    return new ShardSet(bits);
  }

  public ShardSet with(int shard) {
    if (bits.isEmpty() && shard < SINGLES.length) {
      return SINGLES[shard];
    }
    if (contains(shard)) {
      return this;
    }
    BitSet copy = (BitSet) bits.clone();
    copy.set(shard);
    return new ShardSet(copy);
  }

  public ShardSet without(int shard) {
    BitSet copy = (BitSet) bits.clone();
    copy.clear(shard);
    return new ShardSet(copy);
  }

  public ShardSet union(ShardSet other) {
    BitSet copy = (BitSet) bits.clone();
    copy.or(other.bits);
    return new ShardSet(copy);
  }

  public ShardSet minus(ShardSet other) {
    BitSet copy = (BitSet) bits.clone();
    copy.andNot(other.bits);
    return new ShardSet(copy);
  }

  public boolean contains(int shard) {
    return bits.get(shard);
  }

  public boolean isEmpty() {
    return bits.isEmpty();
  }

  public int size() {
    return bits.cardinality();
  }

  /** The lowest index, -1 if there is none. */
  public int first() {
    return bits.nextSetBit(0);
  }

  /** In ascending order. */
  public List<Integer> indexes() {
    return size() == 1 ? List.of(first()) : bits.stream().boxed().toList();
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
