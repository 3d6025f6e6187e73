package io.shardmark.driver.script;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The variables and the random stream of one attempt at a transaction. Belongs to one thread.
 *
 * @param values by the variable's number; null if it is not set
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares scopes
record Scope(@Nullable Value[] values, SplittableRandom random) {
  /**
   * @throws ScriptException if the variable is not set
   */
  Value get(int number, String name) {
    Value value = values[number];
    if (value == null) {
      throw new ScriptException("the variable " + name + " is not set when it is used");
    }
    return value;
  }

  void set(int number, Value value) {
    values[number] = value;
  }
}
