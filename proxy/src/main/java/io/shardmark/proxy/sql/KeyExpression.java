package io.shardmark.proxy.sql;

import org.jspecify.annotations.Nullable;

/** Where a value of the sharding column is found when the statement is executed. */
public sealed interface KeyExpression {
  /** In the text itself. */
  record Constant(@Nullable Object value) implements KeyExpression {}

  /**
   * In a parameter.
   *
   * @param index from 0, $1 is 0; also a literal that normalising replaced
   */
  record Parameter(int index) implements KeyExpression {}

  /** Every element of an array parameter, as in {@code = ANY ($1)}. */
  record ArrayParameter(int index) implements KeyExpression {}
}
