package io.shardmark.driver.script;

import java.util.Map;
import java.util.SplittableRandom;

/**
 * The variables and the random stream of one attempt at a transaction. Belongs to one thread.
 *
 * @param values by the variable's name, which the attempt changes
 */
record ScriptScope(Map<String, Value> values, SplittableRandom random) {
  /**
   * @throws ScriptException if the variable is not set
   */
  Value get(String name) {
    Value value = values.get(name);
    if (value == null) {
      throw new ScriptException("the variable " + name + " is not set when it is used");
    }
    return value;
  }

  void set(String name, Value value) {
    values.put(name, value);
  }
}
