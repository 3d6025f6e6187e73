package io.shardmark.proxy.merge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A random query, how its shards are asked, and how their answers are merged.
 *
 * @param asked of the server that has all rows; %s is the table
 * @param sharded of each shard
 * @param ordered whether the order of the rows is decided
 */
record RandomQuery(String asked, String sharded, MergeSpec spec, boolean ordered) {
  private static final List<String> COLUMNS =
      List.of(
          "id", "i2", "i4", "i8", "o", "n", "n2", "f4", "f8", "b", "t", "v", "c", "nm", "d", "tm",
          "ts", "tz", "u", "y");

  static RandomQuery of(Random random) {
    return random.nextInt(3) == 0 ? concat(random) : sorted(random);
  }

  private static String where(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> " where id < " + random.nextInt(60);
      case 1 -> " where false";
      case 2 -> " where i4 > 0";
      default -> "";
    };
  }

  private static List<String> some(List<String> from, int most, Random random) {
    List<String> shuffled = new ArrayList<>(from);
    Collections.shuffle(shuffled, random);
    return shuffled.subList(0, 1 + random.nextInt(most));
  }

  private static RandomQuery concat(Random random) {
    String sql =
        "select " + String.join(", ", some(COLUMNS, 6, random)) + " from %s" + where(random);
    return new RandomQuery(sql, sql, MergeSpec.CONCATENATION, false);
  }

  /** The text of an item, and the item. */
  private static OrderItem item(int column, Random random, StringBuilder text) {
    boolean descending = random.nextBoolean();
    text.append(descending ? " desc" : "");
    if (random.nextBoolean()) {
      return new OrderItem(column, descending, descending, true);
    }
    boolean nullsFirst = random.nextBoolean();
    text.append(" nulls ").append(nullsFirst ? "first" : "last");
    return new OrderItem(column, descending, nullsFirst, true);
  }

  /** Sorted by up to three columns, some of them hidden, and at last by a hidden key. */
  private static RandomQuery sorted(Random random) {
    List<String> visible = some(COLUMNS, 5, random);
    List<String> sort = new ArrayList<>(some(COLUMNS, 3, random));
    sort.add("id");
    StringBuilder order = new StringBuilder(" order by ");
    List<OrderItem> items = new ArrayList<>();
    for (int i = 0; i < sort.size(); i++) {
      order.append(i == 0 ? "" : ", ").append(sort.get(i));
      // Half of them are counted from the end, as for columns behind a star.
      int column = random.nextBoolean() ? visible.size() + i : i - sort.size();
      items.add(item(column, random, order));
    }
    MergeSpec window = window(random);
    String base = "select " + String.join(", ", visible);
    String tail = " from %s" + where(random) + order;
    return new RandomQuery(
        base + tail + text(window.limit(), window.offset()),
        base + ", " + String.join(", ", sort) + tail + text(ofShard(window), 0),
        new MergeSpec(items, window.offset(), window.limit(), sort.size()),
        true);
  }

  /** Only LIMIT and OFFSET. */
  private static MergeSpec window(Random random) {
    long limit = random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(20);
    return new MergeSpec(List.of(), random.nextBoolean() ? 0 : random.nextInt(10), limit, 0);
  }

  private static long ofShard(MergeSpec window) {
    return window.limit() == Long.MAX_VALUE ? Long.MAX_VALUE : window.limit() + window.offset();
  }

  private static String text(long limit, long offset) {
    return (limit == Long.MAX_VALUE ? "" : " limit " + limit)
        + (offset == 0 ? "" : " offset " + offset);
  }
}
