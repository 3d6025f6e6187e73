package io.shardmark.driver.script;

import java.util.List;

/** What {@code \set} and {@code \if} compute. Immutable. */
sealed interface Expression {
  /**
   * @throws ScriptException if it cannot be computed with these values
   */
  Value evaluate(ScriptScope scope);

  record ConstantExpression(Value value) implements Expression {
    @Override
    public Value evaluate(ScriptScope scope) {
      return value;
    }
  }

  record Variable(String name) implements Expression {
    @Override
    public Value evaluate(ScriptScope scope) {
      return scope.get(name).inExpression();
    }
  }

  /** A function or an operator; NULL if an argument is NULL. */
  record Call(Function function, List<Expression> arguments) implements Expression {
    public Call {
      arguments = List.copyOf(arguments);
    }

    @Override
    public Value evaluate(ScriptScope scope) {
      Value[] values = new Value[arguments.size()];
      boolean hasNull = false;
      for (int i = 0; i < values.length; i++) {
        values[i] = arguments.get(i).evaluate(scope);
        hasNull |= values[i] == Value.ConstantValue.NULL;
      }
      return hasNull && !function.takesNull()
          ? Value.ConstantValue.NULL
          : function.apply(values, scope.random());
    }
  }

  /**
   * AND, which a false left side decides, or OR, which a true one decides; a NULL there does too.
   * The right side is not computed then.
   */
  record Logical(Expression left, Expression right, boolean decisive) implements Expression {
    @Override
    public Value evaluate(ScriptScope scope) {
      Value first = left.evaluate(scope);
      boolean decides = first == Value.ConstantValue.NULL || first.isTrue() == decisive;
      Value last = decides ? first : right.evaluate(scope);
      return last == Value.ConstantValue.NULL ? last : Value.of(last.isTrue());
    }
  }

  /** CASE WHEN condition THEN value ... ELSE value END. */
  record Case(Expression condition, Expression value, Expression otherwise) implements Expression {
    @Override
    public Value evaluate(ScriptScope scope) {
      return (condition.evaluate(scope).isTrue() ? value : otherwise).evaluate(scope);
    }
  }
}
