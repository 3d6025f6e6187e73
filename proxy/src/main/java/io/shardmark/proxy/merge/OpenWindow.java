package io.shardmark.proxy.merge;

import io.shardmark.proxy.protocol.SqlState;
import org.jspecify.annotations.Nullable;

/** LIMIT and OFFSET of one execution, counting down. */
final class OpenWindow {
  private long skip;
  private long rest;

  private OpenWindow(long skip, long rest) {
    this.skip = skip;
    this.rest = rest;
  }

  static OpenWindow of(RowWindow window) {
    Long limit = value(window.limit());
    Long offset = value(window.offset());
    if (offset != null && offset < 0) {
      throw new MergeRefusedException(
          SqlState.INVALID_ROW_COUNT_IN_RESULT_OFFSET_CLAUSE,
          "OFFSET must not be negative",
          "Give 0 or more.");
    }
    if (limit != null && limit < 0) {
      throw new MergeRefusedException(
          SqlState.INVALID_ROW_COUNT_IN_LIMIT_CLAUSE,
          "LIMIT must not be negative",
          "Give 0 or more.");
    }
    return new OpenWindow(offset == null ? 0 : offset, limit == null ? Long.MAX_VALUE : limit);
  }

  private static @Nullable Long value(RowCount count) {
    if (count instanceof RowCount.Parameter) {
      throw new IllegalStateException("the value of LIMIT or OFFSET is not known: " + count);
    }
    return count instanceof RowCount.Constant constant ? constant.rows() : null;
  }

  /** Whether the next row is in the window; counts it. */
  boolean admits() {
    if (rest == 0) {
      return false;
    }
    if (skip > 0) {
      skip--;
      return false;
    }
    rest--;
    return true;
  }

  boolean isExhausted() {
    return rest == 0;
  }
}
