package io.shardmark.driver.script;

import java.util.List;

/** What a script does next. Immutable. */
sealed interface Step {
  /**
   * {@code \set}.
   *
   * @param place file and line
   */
  record Assign(String variable, Expression value, String place) implements Step {}

  /** A statement whose rows nobody wants; in a pipeline it waits for the others. */
  record Execute(SqlStatement statement) implements Step {}

  /** A statement that ends with {@code \gset}: its one row's columns become variables. */
  record Query(SqlStatement statement, String prefix) implements Step {}

  /** {@code \if}; {@code \elif} is the one step of what is done otherwise. */
  record Choose(Expression condition, List<Step> then, List<Step> otherwise, String place)
      implements Step {
    public Choose {
      then = List.copyOf(then);
      otherwise = List.copyOf(otherwise);
    }
  }

  /** From {@code \startpipeline} to {@code \endpipeline}: one round trip. */
  record Pipeline(List<Step> steps) implements Step {
    public Pipeline {
      steps = List.copyOf(steps);
    }
  }

  /** {@code \syncpipeline}: what is waiting is one round trip. */
  record Synchronize() implements Step {}

  /**
   * {@code \sleep}.
   *
   * @param unitNanos what the number counts
   */
  record Sleep(Expression number, long unitNanos, String place) implements Step {}
}
