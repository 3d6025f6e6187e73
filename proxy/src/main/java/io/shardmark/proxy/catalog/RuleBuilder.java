package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.HashRule;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.ListRule;
import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.RangeRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** From the bounds of one table's partitions, wherever they are, to its rule. Pure. */
final class RuleBuilder {
  /** More remainders than anybody has partitions; bounds the memory that a catalog can ask for. */
  private static final int GREATEST_MODULUS = 1 << 20;

  private final List<String> shards;
  private final List<Integer> unread;
  private final List<String> warnings;

  /**
   * One partition.
   *
   * @param name for messages
   * @param shard where it is
   */
  record Placed(String name, String bound, int shard) {}

  /**
   * @param shards all names
   * @param unread shards whose catalogs are not known yet
   * @param warnings takes half sentences that follow the table's name
   */
  RuleBuilder(List<String> shards, List<Integer> unread, List<String> warnings) {
    this.shards = shards;
    this.unread = unread;
    this.warnings = warnings;
  }

  PartitionRule build(char strategy, KeyType type, List<Placed> partitions)
      throws UnroutableException {
    if (strategy != 'h' && !unread.isEmpty()) {
      throw new UnroutableException(
          "cannot be routed until shard " + shards.get(unread.get(0)) + " has been read");
    }
    try {
      return switch (strategy) {
        case 'h' -> hash(partitions);
        case 'l' -> list(type, partitions);
        case 'r' -> range(type, partitions);
        default -> throw new UnroutableException("has an unknown partition strategy " + strategy);
      };
    } catch (IllegalArgumentException e) {
      throw new UnroutableException("has a bound that is not understood: " + e.getMessage());
    }
  }

  private HashRule hash(List<Placed> partitions) throws UnroutableException {
    Map<Placed, PartitionBound.Hash> bounds = new HashMap<>();
    int modulus = 1;
    for (Placed partition : partitions) {
      if (PartitionBound.parse(partition.bound(), KeyType.INTEGER)
          instanceof PartitionBound.Hash bound) {
        bounds.put(partition, bound);
        modulus = Math.max(modulus, bound.modulus());
      } else {
        throw new IllegalArgumentException(partition.bound());
      }
    }
    if (modulus > GREATEST_MODULUS) {
      throw new UnroutableException("has a modulus over " + GREATEST_MODULUS);
    }
    int[] shardOf = new int[modulus];
    Arrays.fill(shardOf, PartitionRule.NO_PARTITION);
    for (Placed partition : partitions) {
      fill(shardOf, partition, bounds.get(partition));
    }
    missing(shardOf);
    return new HashRule(modulus, shardOf);
  }

  private void fill(int[] shardOf, Placed partition, PartitionBound.@Nullable Hash bound)
      throws UnroutableException {
    if (bound == null || shardOf.length % bound.modulus() != 0) {
      throw new UnroutableException(
          "has partitions of moduli that are no factors of each other: " + partition.name());
    }
    for (int r = bound.remainder(); r < shardOf.length; r += bound.modulus()) {
      if (shardOf[r] != PartitionRule.NO_PARTITION) {
        throw new UnroutableException(
            "has remainder %d of modulus %d on shards %s and %s"
                .formatted(
                    r, shardOf.length, shards.get(shardOf[r]), shards.get(partition.shard())));
      }
      shardOf[r] = partition.shard();
    }
  }

  /** Remainders nobody has are on the one shard that could not be read, or really missing. */
  private void missing(int[] shardOf) throws UnroutableException {
    List<Integer> missing =
        IntStream.range(0, shardOf.length)
            .filter(r -> shardOf[r] == PartitionRule.NO_PARTITION)
            .boxed()
            .toList();
    if (missing.isEmpty()) {
      return;
    }
    if (unread.size() == 1) {
      missing.forEach(r -> shardOf[r] = unread.get(0));
    } else if (!unread.isEmpty()) {
      throw new UnroutableException(
          "cannot be routed until shard " + shards.get(unread.get(0)) + " has been read");
    } else {
      warnings.add(
          "has no partition for remainder%s %s of modulus %d; rows that belong there are refused"
              .formatted(
                  missing.size() == 1 ? "" : "s",
                  String.join(", ", missing.stream().map(String::valueOf).toList()),
                  shardOf.length));
    }
  }

  private ListRule list(KeyType type, List<Placed> partitions) throws UnroutableException {
    Map<Object, Integer> shardOf = new HashMap<>();
    int ofNull = PartitionRule.NO_PARTITION;
    int ofOthers = PartitionRule.NO_PARTITION;
    for (Placed partition : partitions) {
      PartitionBound bound = PartitionBound.parse(partition.bound(), type);
      if (bound instanceof PartitionBound.Default) {
        ofOthers = once("a default partition", ofOthers, partition);
      } else if (bound instanceof PartitionBound.Values listed) {
        for (@Nullable Object value : listed.values()) {
          if (value == null) {
            ofNull = once("NULL", ofNull, partition);
          } else {
            int before = shardOf.getOrDefault(value, PartitionRule.NO_PARTITION);
            shardOf.put(value, once("value " + value, before, partition));
          }
        }
      } else {
        throw new IllegalArgumentException(partition.bound());
      }
    }
    return new ListRule(shardOf, ofNull, ofOthers);
  }

  private int once(String what, int before, Placed partition) throws UnroutableException {
    if (before != PartitionRule.NO_PARTITION) {
      throw new UnroutableException(
          "has %s on shards %s and %s"
              .formatted(what, shards.get(before), shards.get(partition.shard())));
    }
    return partition.shard();
  }

  private RangeRule range(KeyType type, List<Placed> partitions) throws UnroutableException {
    List<RangeRule.Range> ranges = new ArrayList<>();
    int ofOthers = PartitionRule.NO_PARTITION;
    for (Placed partition : partitions) {
      PartitionBound bound = PartitionBound.parse(partition.bound(), type);
      if (bound instanceof PartitionBound.Default) {
        ofOthers = once("a default partition", ofOthers, partition);
      } else if (bound instanceof PartitionBound.Span span) {
        ranges.add(new RangeRule.Range(span.from(), span.to(), partition.shard()));
      } else {
        throw new IllegalArgumentException(partition.bound());
      }
    }
    ranges.sort(Comparator.comparing(RangeRule.Range::from, RangeRule::compareLowerEnds));
    for (int i = 1; i < ranges.size(); i++) {
      RangeRule.Range before = ranges.get(i - 1);
      RangeRule.Range next = ranges.get(i);
      if (RangeRule.overlap(before, next)) {
        throw new UnroutableException(
            "has ranges on shards %s and %s that overlap at %s"
                .formatted(shards.get(before.shard()), shards.get(next.shard()), next.from()));
      }
    }
    return new RangeRule(ranges, ofOthers);
  }
}
