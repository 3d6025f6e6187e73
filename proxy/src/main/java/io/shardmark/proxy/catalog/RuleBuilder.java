package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.BoundsRule;
import io.shardmark.proxy.shardmap.HashRule;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.UuidKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** From the bounds of one table's partitions, wherever they are, to its rule. Pure. */
final class RuleBuilder {
  /** More remainders than anybody has partitions; bounds the memory that a catalog can ask for. */
  private static final int GREATEST_MODULUS = 1 << 20;

  // The texts that pg_get_expr makes of bounds.
  private static final Pattern HASH =
      Pattern.compile("FOR VALUES WITH \\(modulus (\\d+), remainder (\\d+)\\)");
  private static final Pattern LIST = Pattern.compile("(?s)FOR VALUES IN \\((.*)\\)");

  /** A quoted constant (quotes inside doubled), or a word or number; a cast may follow. */
  private static final String CONSTANT = "(?:'(?:[^']|'')*'|[-A-Za-z0-9.]+)(?:::[a-z0-9 ]+)?";

  private static final Pattern RANGE =
      Pattern.compile("(?s)FOR VALUES FROM \\((" + CONSTANT + ")\\) TO \\((" + CONSTANT + ")\\)");
  private static final Pattern ITEM = Pattern.compile("(?s)(" + CONSTANT + ")(, |$)");

  private final List<String> shards;
  private final List<Integer> unread;
  private final List<String> warnings;

  /**
   * One partition.
   *
   * @param name for messages
   * @param shard where it is
   */
  record PlacedPartition(String name, String bound, int shard) {
    IllegalArgumentException notUnderstood() {
      return new IllegalArgumentException("partition bound " + bound);
    }
  }

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

  PartitionRule build(char strategy, KeyType type, List<PlacedPartition> partitions)
      throws UnroutableException {
    if (strategy != 'h' && !unread.isEmpty()) {
      throw notRead();
    }
    try {
      return switch (strategy) {
        case 'h' -> hash(partitions);
        case 'l' -> bounds("list", type, partitions);
        case 'r' -> bounds("range", type, partitions);
        default -> throw new UnroutableException("has an unknown partition strategy " + strategy);
      };
    } catch (IllegalArgumentException e) {
      throw new UnroutableException("has a bound that is not understood: " + e.getMessage());
    }
  }

  UnroutableException notRead() {
    return new UnroutableException(
        "cannot be routed until shard " + shards.get(unread.get(0)) + " has been read");
  }

  private HashRule hash(List<PlacedPartition> partitions) throws UnroutableException {
    record Remainder(PlacedPartition partition, int modulus, int remainder) {}
    List<Remainder> remainders = new ArrayList<>();
    for (PlacedPartition partition : partitions) {
      Matcher hash = HASH.matcher(partition.bound());
      if (!hash.matches()) {
        throw partition.notUnderstood();
      }
      remainders.add(
          new Remainder(
              partition, Integer.parseInt(hash.group(1)), Integer.parseInt(hash.group(2))));
    }
    int modulus = remainders.stream().mapToInt(Remainder::modulus).max().orElse(1);
    if (modulus > GREATEST_MODULUS) {
      throw new UnroutableException("has a modulus over " + GREATEST_MODULUS);
    }
    int[] shardOf = new int[modulus];
    Arrays.fill(shardOf, PartitionRule.NO_PARTITION);
    for (Remainder one : remainders) {
      if (modulus % one.modulus() != 0) {
        throw new UnroutableException(
            "has partitions of moduli that are no factors of each other: "
                + one.partition().name());
      }
      for (int r = one.remainder(); r < modulus; r += one.modulus()) {
        shardOf[r] =
            once("remainder %d of modulus %d".formatted(r, modulus), shardOf[r], one.partition());
      }
    }
    missing(shardOf);
    return new HashRule(modulus, shardOf);
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
      throw notRead();
    } else {
      warnings.add(
          "has no partition for remainder%s %s of modulus %d; rows that belong there are refused"
              .formatted(
                  missing.size() == 1 ? "" : "s",
                  String.join(", ", missing.stream().map(String::valueOf).toList()),
                  shardOf.length));
    }
  }

  private int once(String what, int before, PlacedPartition partition) throws UnroutableException {
    if (before != PartitionRule.NO_PARTITION) {
      throw new UnroutableException(
          "has %s on shards %s and %s"
              .formatted(what, shards.get(before), shards.get(partition.shard())));
    }
    return partition.shard();
  }

  private BoundsRule bounds(String strategy, KeyType type, List<PlacedPartition> partitions)
      throws UnroutableException {
    List<BoundsRule.RangeBound> bounds = new ArrayList<>();
    int ofNull = PartitionRule.NO_PARTITION;
    int ofOthers = PartitionRule.NO_PARTITION;
    for (PlacedPartition partition : partitions) {
      Matcher range = RANGE.matcher(partition.bound());
      Matcher list = LIST.matcher(partition.bound());
      if (partition.bound().equals("DEFAULT")) {
        ofOthers = once("a default partition", ofOthers, partition);
      } else if (range.matches()) {
        Object from = constant(range.group(1), type);
        bounds.add(
            new BoundsRule.RangeBound(from, constant(range.group(2), type), partition.shard()));
      } else if (list.matches()) {
        for (String item : items(list.group(1), partition)) {
          Object value = constant(item, type);
          if (value == null) {
            ofNull = once("NULL", ofNull, partition);
          } else {
            bounds.add(new BoundsRule.RangeBound(value, value, partition.shard()));
          }
        }
      } else {
        throw partition.notUnderstood();
      }
    }
    bounds.sort(BoundsRule.ORDER);
    for (int i = 1; i < bounds.size(); i++) {
      BoundsRule.RangeBound before = bounds.get(i - 1);
      BoundsRule.RangeBound next = bounds.get(i);
      if (before.overlaps(next)) {
        throw new UnroutableException(
            "has %s %s on shards %s and %s"
                .formatted(
                    strategy.equals("list") ? "value" : "ranges that overlap at",
                    next.from(),
                    shards.get(before.shard()),
                    shards.get(next.shard())));
      }
    }
    return new BoundsRule(strategy, bounds, ofNull, ofOthers);
  }

  private static List<String> items(String list, PlacedPartition partition) {
    List<String> items = new ArrayList<>();
    Matcher item = ITEM.matcher(list);
    int position = 0;
    while (position < list.length()) {
      if (!item.find(position) || item.start() != position) {
        throw partition.notUnderstood();
      }
      items.add(item.group(1));
      position = item.end();
    }
    return items;
  }

  /** Null for NULL in a list and the ends of the widest ranges. */
  private static @Nullable Object constant(String text, KeyType type) {
    if (text.startsWith("NULL") || text.equals("MINVALUE") || text.equals("MAXVALUE")) {
      return null;
    }
    boolean quoted = text.startsWith("'");
    String bare = quoted ? text.substring(1, text.lastIndexOf('\'')).replace("''", "'") : text;
    return switch (type) {
      case INTEGER -> Long.valueOf(bare);
      case TEXT -> bare;
      case UUID -> UuidKey.parse(bare);
    };
  }
}
