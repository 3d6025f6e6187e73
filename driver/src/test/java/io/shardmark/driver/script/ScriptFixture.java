package io.shardmark.driver.script;

import io.shardmark.driver.benchmark.TransactionType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** A script in the tests' own text. */
final class ScriptFixture {
  static final String FILE = "my.sql";

  private ScriptFixture() {}

  static ScriptMix mix(String text) {
    VariableNames variables = new VariableNames(Set.of());
    List<ScriptCommand> steps = ScriptParser.parse(FILE, text, variables);
    variables.requireAllSet();
    TransactionType type = TransactionType.unpaced(0, "MY", 1);
    return new ScriptMix(
        List.of(new ScriptMix.WeightedScript(FILE, 1, "0", type, steps)), variables, Map.of());
  }

  static ScriptTerminal terminal(ScriptMix mix, long seed) {
    return new ScriptTerminal(
        mix, new SplittableRandom(seed), Map.of(VariableNames.SCALE, new Value.Whole(1)));
  }

  /** The value of an expression without variables. */
  static Value evaluate(String expression) {
    Expression parsed =
        ExpressionParser.parse(
            expression,
            name -> {
              throw new IllegalArgumentException(name);
            });
    return parsed.evaluate(new ScriptScope(Map.of(), new SplittableRandom(1)));
  }
}
