package io.shardmark.proxy.merge;

import io.shardmark.proxy.protocol.RowField;
import java.util.List;

/**
 * How the rows of several shards become one answer: they pass as they come, or, if each shard's
 * rows come in the same order, are merged into that order. Streams: at most the rows of shards that
 * are ahead are held. Rows that are equal in all items of ORDER BY come in any order, as
 * everywhere.
 *
 * @param order of every shard's rows; empty if they may pass as they come
 * @param offset how many of the first rows are left out: each shard must be asked for its first
 *     {@code limit + offset} rows at least, without its own OFFSET
 * @param limit how many rows the client gets at most
 * @param hidden number of columns that the planner has added at the end of the shards' answers and
 *     that the client does not see
 */
public record MergeSpec(List<OrderItem> order, long offset, long limit, int hidden) {
  /** All rows, as they come. */
  public static final MergeSpec CONCATENATION = new MergeSpec(List.of(), 0, Long.MAX_VALUE, 0);

  public MergeSpec {
    order = List.copyOf(order);
  }

  /**
   * How many of the shards' columns the client sees: the first ones.
   *
   * @param columnCount of a shard's answer
   */
  public int visibleColumns(int columnCount) {
    return columnCount - hidden;
  }

  /**
   * A merger for one execution.
   *
   * @param columns of a shard's answer, with the formats it comes in
   * @param rounded whether texts of floats are not the whole value: extra_float_digits below 1
   * @param shardCount how many answers there will be
   * @param memoryLimitBytes what may be held back before rows can be passed on
   * @throws MergeRefusedException if a column's type or collation cannot be merged right (0A000),
   *     or LIMIT (2201W) or OFFSET (2201X) is negative
   */
  public RowMerger open(
      List<RowField> columns, boolean rounded, int shardCount, long memoryLimitBytes) {
    // The rows of one shard are in order already.
    RowOrder merged = new RowOrder(columns, shardCount == 1 ? List.of() : order, rounded);
    return new RowMerger(this, merged, columns.size(), shardCount, memoryLimitBytes);
  }
}
