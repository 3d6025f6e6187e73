package io.shardmark.proxy.merge;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * LIMIT and OFFSET of the client's statement. Each shard must be asked for its first {@code limit +
 * offset} rows at least, without an OFFSET of its own.
 */
public record RowWindow(RowCount limit, RowCount offset) {
  /** All rows. */
  public static final RowWindow ALL = new RowWindow(RowCount.None.INSTANCE, RowCount.None.INSTANCE);

  /** With numbers instead of parameters. */
  RowWindow with(IntFunction<@Nullable Long> parameters) {
    return new RowWindow(limit.with(parameters), offset.with(parameters));
  }
}
