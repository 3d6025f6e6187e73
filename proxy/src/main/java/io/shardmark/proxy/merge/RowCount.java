package io.shardmark.proxy.merge;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A number of rows in a statement's text: what LIMIT or OFFSET say. */
public sealed interface RowCount {
  /** No bound, all rows for LIMIT, 0 for OFFSET: the clause is absent, LIMIT ALL, or NULL. */
  record None() implements RowCount {
    public static final None INSTANCE = new None();
  }

  /** A constant; negative ones are refused when the merge is opened, as a server would. */
  record Constant(long rows) implements RowCount {}

  /**
   * A parameter, or a literal that normalising replaced.
   *
   * @param index from 0, $1 is 0
   */
  record Parameter(int index) implements RowCount {
    @Override
    public RowCount with(IntFunction<@Nullable Long> parameters) {
      Long rows = parameters.apply(index);
      return rows == null ? None.INSTANCE : new Constant(rows);
    }
  }

  /**
   * As a number; what is one, or none, stays.
   *
   * @param parameters values by index, from 0; null for NULL
   */
  default RowCount with(IntFunction<@Nullable Long> parameters) {
    return this;
  }
}
