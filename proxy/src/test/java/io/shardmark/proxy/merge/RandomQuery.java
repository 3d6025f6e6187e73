package io.shardmark.proxy.merge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

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

  /** Equal values of these can be shown in several ways, one of which is kept. */
  private static final List<String> GROUPED =
      List.of("i2", "i4", "b", "t", "c", "n2", "d", "u", "f8", "tz");

  private static final List<String> SUMMED = List.of("i2", "i4", "i8", "n", "n2", "f4", "f8");
  private static final List<String> COMPARED =
      List.of("i2", "i4", "i8", "o", "n", "n2", "f4", "f8", "t", "v", "c", "d", "tm", "ts", "tz");

  static RandomQuery of(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> concat(random);
      case 1 -> sorted(random);
      case 2 -> distinct(random);
      default -> grouped(random);
    };
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
    return new RandomQuery(sql, sql, Merges.concat(RowWindow.ALL, 0), false);
  }

  /** The text of an item, and the item. */
  private static OrderItem item(int column, Random random, StringBuilder text) {
    OrderItem.Direction direction =
        random.nextBoolean() ? OrderItem.Direction.ASCENDING : OrderItem.Direction.DESCENDING;
    text.append(direction == OrderItem.Direction.DESCENDING ? " desc" : "");
    if (random.nextBoolean()) {
      return OrderItem.of(column, direction, TextOrder.BYTES);
    }
    OrderItem.Nulls nulls = random.nextBoolean() ? OrderItem.Nulls.FIRST : OrderItem.Nulls.LAST;
    text.append(" nulls ").append(nulls == OrderItem.Nulls.FIRST ? "first" : "last");
    return new OrderItem(column, direction, nulls, TextOrder.BYTES);
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
    RowWindow window = window(random);
    String base = "select " + String.join(", ", visible);
    String tail = " from %s" + where(random) + order;
    return new RandomQuery(
        base + tail + text(window),
        base + ", " + String.join(", ", sort) + tail + text(shardWindow(window)),
        Merges.sorted(items, window, sort.size()),
        true);
  }

  private static RandomQuery distinct(Random random) {
    List<String> columns = some(GROUPED, 3, random);
    String sql = "select distinct " + String.join(", ", columns) + " from %s" + where(random);
    if (random.nextBoolean()) {
      return new RandomQuery(sql, sql, Merges.distinct(List.of(), RowWindow.ALL, 0), false);
    }
    StringBuilder order = new StringBuilder();
    List<OrderItem> items = orderOfAll(columns, random, order);
    RowWindow window = window(random);
    return new RandomQuery(
        sql + order + text(window),
        sql + order + text(shardWindow(window)),
        Merges.distinct(items, window, 0),
        true);
  }

  private static List<OrderItem> orderOfAll(
      List<String> columns, Random random, StringBuilder order) {
    List<OrderItem> items = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      order.append(i == 0 ? " order by " : ", ").append(columns.get(i));
      items.add(item(i, random, order));
    }
    return items;
  }

  private static RandomQuery grouped(Random random) {
    List<String> groups = random.nextInt(4) == 0 ? List.of() : some(GROUPED, 2, random);
    List<String> visible = new ArrayList<>(groups);
    List<String> hidden = new ArrayList<>();
    List<Aggregate> aggregates = new ArrayList<>();
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      aggregate(random, visible, hidden, groups.size() + count, aggregates);
    }
    StringBuilder order = new StringBuilder();
    List<OrderItem> items = orderOfAll(groups, random, order);
    RowWindow window = groups.isEmpty() ? RowWindow.ALL : window(random);
    String tail =
        " from %s"
            + where(random)
            + (groups.isEmpty() ? "" : " group by " + String.join(", ", groups));
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      positions.add(i);
    }
    List<String> all = new ArrayList<>(visible);
    all.addAll(hidden);
    return new RandomQuery(
        "select " + listed(visible) + tail + order + text(window),
        "select " + listed(all) + tail,
        Merges.grouped(positions, aggregates, items, window, hidden.size()),
        true);
  }

  private static String listed(List<String> columns) {
    return columns.stream().collect(Collectors.joining(", "));
  }

  private static void aggregate(
      Random random,
      List<String> visible,
      List<String> hidden,
      int visibleCount,
      List<Aggregate> aggregates) {
    int column = visible.size();
    String summed = SUMMED.get(random.nextInt(SUMMED.size()));
    String compared = COMPARED.get(random.nextInt(COMPARED.size()));
    switch (random.nextInt(7)) {
      case 0 -> {
        visible.add(random.nextBoolean() ? "count(*)" : "count(" + compared + ")");
        aggregates.add(Aggregate.of(Aggregate.Function.COUNT, column));
      }
      case 1 -> {
        visible.add("sum(" + summed + ")");
        aggregates.add(Aggregate.of(Aggregate.Function.SUM, column));
      }
      case 2 -> {
        visible.add("min(" + compared + ")");
        aggregates.add(Aggregate.extreme(Aggregate.Function.MIN, column, TextOrder.BYTES));
      }
      case 3 -> {
        visible.add("max(" + compared + ")");
        aggregates.add(Aggregate.extreme(Aggregate.Function.MAX, column, TextOrder.BYTES));
      }
      case 4 -> {
        visible.add((random.nextBoolean() ? "every" : "bool_and") + "(b)");
        aggregates.add(Aggregate.of(Aggregate.Function.BOOL_AND, column));
      }
      case 5 -> {
        visible.add("bool_or(i4 > 1)");
        aggregates.add(Aggregate.of(Aggregate.Function.BOOL_OR, column));
      }
      default -> {
        visible.add("avg(" + summed + ")");
        int sum = visibleCount + hidden.size();
        hidden.add("sum(" + summed + ")");
        hidden.add("count(" + summed + ")");
        aggregates.add(Aggregate.average(column, sum, sum + 1));
      }
    }
  }

  private static RowWindow window(Random random) {
    RowCount limit =
        random.nextBoolean() ? RowCount.None.INSTANCE : new RowCount.Constant(random.nextInt(20));
    RowCount offset =
        random.nextBoolean() ? RowCount.None.INSTANCE : new RowCount.Constant(random.nextInt(10));
    return new RowWindow(limit, offset);
  }

  private static RowWindow shardWindow(RowWindow window) {
    if (!(window.limit() instanceof RowCount.Constant limit)) {
      return RowWindow.ALL;
    }
    long offset = window.offset() instanceof RowCount.Constant constant ? constant.rows() : 0;
    return new RowWindow(new RowCount.Constant(limit.rows() + offset), RowCount.None.INSTANCE);
  }

  private static String text(RowWindow window) {
    String limit =
        window.limit() instanceof RowCount.Constant constant ? " limit " + constant.rows() : "";
    String offset =
        window.offset() instanceof RowCount.Constant constant ? " offset " + constant.rows() : "";
    return limit + offset;
  }
}
