package io.shardmark.proxy.shardmap;

import io.shardmark.sql.hash.PartitionHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * PARTITION BY HASH over one column; also the rule of unpartitioned tables whose sharding column
 * the configuration names (modulus: number of shards). Immutable; equal by value.
 */
public final class HashRule implements PartitionRule {
  private final int modulus;
  private final int[] shardOfRemainder;

  /**
   * @param modulus the greatest of the partitions' moduli, of which the others are factors
   * @param shardOfRemainder for each remainder the shard's index, or {@link #NO_PARTITION}
   */
  public HashRule(int modulus, int[] shardOfRemainder) {
    if (modulus < 1 || shardOfRemainder.length != modulus) {
      throw new IllegalArgumentException(
          "modulus %d with %d remainders".formatted(modulus, shardOfRemainder.length));
    }
    this.modulus = modulus;
    this.shardOfRemainder = shardOfRemainder.clone();
  }

  /** Remainder r on shard r. */
  public static HashRule oneRemainderPerShard(int shardCount) {
    int[] shards = new int[shardCount];
    Arrays.setAll(shards, i -> i);
    return new HashRule(shardCount, shards);
  }

  @Override
  public int shardOf(@Nullable Object key) {
    long rowHash;
    if (key == null) {
      rowHash = PartitionHash.ofNull();
    } else if (key instanceof Long number) {
      rowHash = PartitionHash.ofKey(number);
    } else if (key instanceof String text) {
      rowHash = PartitionHash.ofText(text);
    } else {
      rowHash = PartitionHash.ofBytes(UuidKey.bytes((UUID) key));
    }
    return shardOfRemainder[PartitionHash.remainder(rowHash, modulus)];
  }

  @Override
  public String strategy() {
    return "hash";
  }

  @Override
  public List<PartitionRule.RulePlacement> placements() {
    List<PartitionRule.RulePlacement> placements = new ArrayList<>();
    for (int remainder = 0; remainder < modulus; remainder++) {
      if (shardOfRemainder[remainder] != NO_PARTITION) {
        String bound = "FOR VALUES WITH (modulus %d, remainder %d)".formatted(modulus, remainder);
        placements.add(
            new PartitionRule.RulePlacement(
                modulus, remainder, bound, shardOfRemainder[remainder]));
      }
    }
    return placements;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HashRule that
        && modulus == that.modulus
        && Arrays.equals(shardOfRemainder, that.shardOfRemainder);
  }

  @Override
  public int hashCode() {
    return 31 * modulus + Arrays.hashCode(shardOfRemainder);
  }

  @Override
  public String toString() {
    return "HashRule[modulus=" + modulus + ", shards=" + Arrays.toString(shardOfRemainder) + "]";
  }
}
