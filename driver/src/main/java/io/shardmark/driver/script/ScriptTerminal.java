package io.shardmark.driver.script;

import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.WeightedChoice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Draws which script is next, and keeps the variables of its session from one to the next. */
final class ScriptTerminal implements Terminal {
  private final WeightedChoice<ScriptMix.WeightedScript> scripts;
  private final SplittableRandom random;
  private Map<String, Value> variables;

  /**
   * @param variables as they are before the first script
   */
  ScriptTerminal(ScriptMix mix, SplittableRandom random, Map<String, Value> variables) {
    scripts = mix.choice();
    this.random = random;
    this.variables = variables;
  }

  @Override
  public Transaction next() {
    return new ScriptInput(scripts.draw(random), random.nextLong(), this);
  }

  /**
   * One execution of a script: every attempt begins with the same variables and draws the same.
   *
   * @param seed of what the script draws
   */
  record ScriptInput(ScriptMix.WeightedScript part, long seed, ScriptTerminal terminal)
      implements Transaction {
    @Override
    public TransactionType type() {
      return part.type();
    }

    List<ScriptCommand> steps() {
      return part.steps();
    }

    /** For one attempt. */
    ScriptScope newScope() {
      return new ScriptScope(new HashMap<>(terminal.variables), new SplittableRandom(seed));
    }

    /** Of the attempt that did not fail. */
    void keep(ScriptScope scope) {
      terminal.variables = scope.values();
    }
  }
}
