package io.shardmark.proxy.shardmap;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PARTITION BY RANGE or LIST over one column; texts of ranges compare as their bytes do.
 *
 * @param strategy {@code range} or {@code list}
 * @param bounds disjoint, in their order
 * @param ofNull the shard of null where a partition lists it, or {@link #NO_PARTITION}
 * @param ofOthers the default partition's shard, or {@link #NO_PARTITION}
 */
public record BoundsRule(String strategy, List<RangeBound> bounds, int ofNull, int ofOthers)
    implements PartitionRule {
  /** Numbers by size; texts and uuids as PostgreSQL compares their bytes, without a sign. */
  private static final Comparator<Object> KEYS = BoundsRule::compare;

  /** By the lower ends; MINVALUE is before all. */
  public static final Comparator<RangeBound> ORDER =
      Comparator.comparing(RangeBound::from, Comparator.nullsFirst(KEYS));

  public BoundsRule {
    bounds = List.copyOf(bounds);
  }

  /**
   * The keys of one partition: a range, or a value of a list, which is both ends.
   *
   * @param from inclusive; null is MINVALUE
   * @param to exclusive, unless it is the value; null is MAXVALUE
   */
  public record RangeBound(@Nullable Object from, @Nullable Object to, int shard) {
    boolean isValue() {
      return from != null && from.equals(to);
    }

    /** Negative or positive: the key is below or above these. */
    private int place(Object key) {
      if (from != null && compare(key, from) < 0) {
        return -1;
      }
      int end = to == null ? -1 : compare(key, to);
      return end > 0 || (end == 0 && !isValue()) ? 1 : 0;
    }

    /** Whether they have keys in common with those that are next in order. */
    public boolean overlaps(RangeBound next) {
      return next.from == null || place(next.from) == 0;
    }

    private String text() {
      String end = to == null ? "MAXVALUE" : literal(to);
      return isValue()
          ? "FOR VALUES IN (" + end + ")"
          : "FOR VALUES FROM (%s) TO (%s)"
              .formatted(from == null ? "MINVALUE" : literal(from), end);
    }
  }

  private static int compare(Object a, Object b) {
    return a instanceof Long x && b instanceof Long y
        ? Long.compare(x, y)
        : Arrays.compareUnsigned(bytes(a), bytes(b));
  }

  private static byte[] bytes(Object key) {
    return key.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String literal(Object key) {
    return key instanceof Long ? key.toString() : "'" + key.toString().replace("'", "''") + "'";
  }

  @Override
  public int shardOf(@Nullable Object key) {
    if (key == null) {
      return ofNull == NO_PARTITION ? ofOthers : ofNull;
    }
    int low = 0;
    int high = bounds.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int place = bounds.get(middle).place(key);
      if (place == 0) {
        return bounds.get(middle).shard();
      }
      low = place < 0 ? low : middle + 1;
      high = place < 0 ? middle - 1 : high;
    }
    return ofOthers;
  }

  @Override
  public List<PartitionRule.RulePlacement> placements() {
    List<PartitionRule.RulePlacement> placements = new ArrayList<>();
    bounds.forEach(
        one ->
            placements.add(new PartitionRule.RulePlacement(null, null, one.text(), one.shard())));
    if (ofNull != NO_PARTITION) {
      placements.add(new PartitionRule.RulePlacement(null, null, "FOR VALUES IN (NULL)", ofNull));
    }
    if (ofOthers != NO_PARTITION) {
      placements.add(new PartitionRule.RulePlacement(null, null, "DEFAULT", ofOthers));
    }
    return placements;
  }
}
