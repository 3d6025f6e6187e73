package io.shardmark.proxy.routing;

import java.util.BitSet;
import java.util.List;

/** A set of shards by index. Immutable; the sets of one shard are shared. */
public final class ShardSet {
  /** No shard: no row can match, so any one shard may be asked. */
  public static final ShardSet EMPTY = new ShardSet(new BitSet());

  private static final ShardSet[] SINGLES = singles(256);

  private final BitSet shards;
  private final int size;
  private final int first;

  private ShardSet(BitSet shards) {
    this.shards = shards;
    this.size = shards.cardinality();
    this.first = shards.nextSetBit(0);
  }

  /** The set of one shard. */
  public static ShardSet of(int shard) {
    if (shard < SINGLES.length) {
      return SINGLES[shard];
    }
    BitSet bits = new BitSet();
    bits.set(shard);
    return new ShardSet(bits);
  }

  /** The shards 0 to {@code count} - 1. */
  public static ShardSet all(int count) {
    BitSet bits = new BitSet();
    bits.set(0, count);
    return new ShardSet(bits);
  }

  /** This set and one more shard. */
  public ShardSet with(int shard) {
    if (contains(shard)) {
      return this;
    }
    if (size == 0) {
      return of(shard);
    }
    BitSet bits = (BitSet) shards.clone();
    bits.set(shard);
    return new ShardSet(bits);
  }

  /** How many shards. */
  public int size() {
    return size;
  }

  /** Whether it is exactly one shard. */
  public boolean isSingle() {
    return size == 1;
  }

  public boolean contains(int shard) {
    return shards.get(shard);
  }

  /** The lowest index, -1 if there is none. */
  public int first() {
    return first;
  }

  /** The lowest index above {@code shard}, -1 if there is none. */
  public int next(int shard) {
    return shards.nextSetBit(shard + 1);
  }

  /** The indexes, ascending. */
  public List<Integer> asList() {
    return shards.stream().boxed().toList();
  }

  private static ShardSet[] singles(int count) {
    ShardSet[] sets = new ShardSet[count];
    for (int i = 0; i < count; i++) {
      BitSet bits = new BitSet();
      bits.set(i);
      sets[i] = new ShardSet(bits);
    }
    return sets;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ShardSet set && shards.equals(set.shards);
  }

  @Override
  public int hashCode() {
    return shards.hashCode();
  }

  @Override
  public String toString() {
    return shards.toString();
  }
}
