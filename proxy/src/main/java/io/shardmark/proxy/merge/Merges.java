package io.shardmark.proxy.merge;

import java.util.List;

/**
 * The ways to merge. Each takes the number of {@code hidden} columns that the planner has added at
 * the end of the shards' answers and that the client does not see.
 *
 * <p>The rows given out are those that one server would give, where SQL leaves no choice. Rows that
 * are equal in all items of ORDER BY come in any order, as everywhere.
 */
public final class Merges {
  private Merges() {}

  /** Rows pass as they come. */
  public static MergeSpec concat(RowWindow window, int hidden) {
    return new MergeShape(new Sorting(List.of()), List.of(), null, window, hidden);
  }

  /**
   * Every shard's rows come in this order and are merged into one order. Streams: at most the rows
   * of shards that are ahead are held.
   */
  public static MergeSpec sorted(List<OrderItem> order, RowWindow window, int hidden) {
    return new MergeShape(new Sorting(order), List.of(), null, window, hidden);
  }

  /**
   * SELECT DISTINCT: of rows that are equal in all visible columns the first one. Keys of the rows
   * passed on are held.
   *
   * @param order of every shard's rows; empty if there is no ORDER BY
   */
  public static MergeSpec distinct(List<OrderItem> order, RowWindow window, int hidden) {
    return new MergeShape(new Sorting(order), null, null, window, hidden);
  }

  /**
   * SELECT DISTINCT ON: of rows that are equal in these columns the first one.
   *
   * @param order of every shard's rows; begins with the columns
   */
  public static MergeSpec distinctOn(
      List<Integer> columns, List<OrderItem> order, RowWindow window, int hidden) {
    return new MergeShape(new Sorting(order), List.copyOf(columns), null, window, hidden);
  }

  /**
   * GROUP BY and aggregates: rows with equal group columns become one, without group columns all
   * rows do. Every shard is asked with the same GROUP BY, without HAVING, LIMIT and OFFSET; its
   * order does not matter. All groups are held. A column that is neither grouped nor an aggregate
   * keeps the value of its group's first row.
   *
   * @param groupColumns positions as in {@link OrderItem#column}
   * @param order of the client's answer
   */
  public static MergeSpec grouped(
      List<Integer> groupColumns,
      List<Aggregate> aggregates,
      List<OrderItem> order,
      RowWindow window,
      int hidden) {
    return new MergeShape(
        new Sorting(order), List.of(), new Grouping(groupColumns, aggregates), window, hidden);
  }

  /**
   * As {@link #grouped}, and of rows then equal in all visible columns one: {@code SELECT DISTINCT
   * count(*) ... GROUP BY}.
   */
  public static MergeSpec groupedDistinct(
      List<Integer> groupColumns,
      List<Aggregate> aggregates,
      List<OrderItem> order,
      RowWindow window,
      int hidden) {
    return new MergeShape(
        new Sorting(order), null, new Grouping(groupColumns, aggregates), window, hidden);
  }
}
