package io.shardmark.proxy.merge;

import org.jspecify.annotations.Nullable;

/** Adds up one aggregate over the shards' rows of one group. */
interface Accumulator {
  void add(Row row);

  /** In the column's type and format; null for NULL. */
  byte @Nullable [] result();
}
