package io.shardmark.proxy.shardmap;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PARTITION BY RANGE over one column, whose texts compare as their bytes do.
 *
 * @param ranges disjoint, ascending
 * @param defaultShard the default partition's shard, which also takes null, or {@link
 *     #NO_PARTITION}
 */
public record RangeRule(List<Range> ranges, int defaultShard) implements PartitionRule {
  public RangeRule {
    ranges = List.copyOf(ranges);
  }

  /**
   * One partition.
   *
   * @param from inclusive; null is MINVALUE
   * @param to exclusive; null is MAXVALUE
   */
  public record Range(@Nullable Object from, @Nullable Object to, int shard) {}

  @Override
  public int shardOf(@Nullable Object key) {
    if (key == null) {
      return defaultShard;
    }
    int low = 0;
    int high = ranges.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Range range = ranges.get(middle);
      if (range.from() != null && KeyOrder.VALUES.compare(key, range.from()) < 0) {
        high = middle - 1;
      } else if (range.to() != null && KeyOrder.VALUES.compare(key, range.to()) >= 0) {
        low = middle + 1;
      } else {
        return range.shard();
      }
    }
    return defaultShard;
  }

  /** Order of the lower ends; null, MINVALUE, is before all. */
  public static int compareLowerEnds(@Nullable Object a, @Nullable Object b) {
    if (a == null || b == null) {
      return Boolean.compare(a != null, b != null);
    }
    return KeyOrder.VALUES.compare(a, b);
  }

  /** Whether two ranges, given in the order of their lower ends, have values in common. */
  public static boolean overlap(Range before, Range next) {
    return before.to() == null
        || next.from() == null
        || KeyOrder.VALUES.compare(before.to(), next.from()) > 0;
  }

  @Override
  public String strategy() {
    return "range";
  }

  @Override
  public List<Placement> placements() {
    List<Placement> placements = new ArrayList<>();
    for (Range range : ranges) {
      String from = range.from() == null ? "MINVALUE" : KeyOrder.literal(range.from());
      String to = range.to() == null ? "MAXVALUE" : KeyOrder.literal(range.to());
      String bound = "FOR VALUES FROM (" + from + ") TO (" + to + ")";
      placements.add(new Placement(null, null, bound, range.shard()));
    }
    if (defaultShard != NO_PARTITION) {
      placements.add(new Placement(null, null, "DEFAULT", defaultShard));
    }
    return placements;
  }
}
