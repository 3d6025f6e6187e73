package io.shardmark.proxy.merge;

import java.util.List;

/** How the rows of several shards become one answer. Immutable, made by {@link Merges}. */
public interface MergeSpec {
  /**
   * How many of the shards' columns the client sees: the first ones.
   *
   * @param columnCount of a shard's answer
   */
  int visibleColumns(int columnCount);

  /**
   * The same with LIMIT and OFFSET as numbers.
   *
   * @param parameters for those that are given as parameters
   */
  MergeSpec with(RowCountParameters parameters);

  /**
   * A merger for one execution.
   *
   * @param columns of a shard's answer, with the formats it comes in
   * @param shardCount how many answers there will be
   * @param memoryLimitBytes what may be held back before rows can be passed on
   * @throws MergeRefusedException if a column's type or collation cannot be merged right (0A000),
   *     or LIMIT (2201W) or OFFSET (2201X) is negative
   */
  RowMerger open(List<ColumnDescription> columns, int shardCount, long memoryLimitBytes);
}
