package io.shardmark.driver.script;

import java.util.List;

/** What a script does next. Immutable. */
sealed interface ScriptCommand {
  /**
   * {@code \set}.
   *
   * @param place file and line
   */
  record Assign(String variable, Expression value, String place) implements ScriptCommand {}

  /** A statement whose rows nobody wants; in a pipeline it waits for the others. */
  record Execute(SqlStatement statement) implements ScriptCommand {}

  /** A statement that ends with {@code \gset}: its one row's columns become variables. */
  record QueryCommand(SqlStatement statement, String prefix) implements ScriptCommand {}

  /** {@code \if}; {@code \elif} is the one step of what is done otherwise. */
  record Choose(
      Expression condition, List<ScriptCommand> then, List<ScriptCommand> otherwise, String place)
      implements ScriptCommand {
    public Choose {
      then = List.copyOf(then);
      otherwise = List.copyOf(otherwise);
    }
  }

  /** From {@code \startpipeline} to {@code \endpipeline}: one round trip. */
  record Pipeline(List<ScriptCommand> steps) implements ScriptCommand {
    public Pipeline {
      steps = List.copyOf(steps);
    }
  }

  /** {@code \syncpipeline}: what is waiting is one round trip. */
  record Synchronize() implements ScriptCommand {}

  /**
   * {@code \sleep}.
   *
   * @param unitNanos what the number counts
   */
  record Sleep(Expression number, long unitNanos, String place) implements ScriptCommand {}
}
