package io.shardmark.driver.script;

import java.util.List;

/** What {@code \set} and {@code \if} compute. Immutable. */
sealed interface Expression {
  /**
   * @throws ScriptException if it cannot be computed with these values
   */
  Value evaluate(Scope scope);

  record Constant(Value value) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      return value;
    }
  }

  /**
   * @param number of the variable
   */
  record Variable(String name, int number) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      return scope.get(number, name).inExpression();
    }
  }

  /** A function or an operator; NULL if an argument is NULL. */
  record Call(Function function, List<Expression> arguments) implements Expression {
    public Call {
      arguments = List.copyOf(arguments);
    }

    @Override
    public Value evaluate(Scope scope) {
      Value[] values = new Value[arguments.size()];
      boolean hasNull = false;
      for (int i = 0; i < values.length; i++) {
        values[i] = arguments.get(i).evaluate(scope);
        hasNull |= values[i] == Value.Null.NULL;
      }
      return hasNull && !function.takesNull()
          ? Value.Null.NULL
          : function.apply(values, scope.random());
    }
  }

  /** The right side is not computed if the left one decides, which a NULL does too. */
  record And(Expression left, Expression right) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value first = left.evaluate(scope);
      if (first == Value.Null.NULL || !first.isTrue()) {
        return first == Value.Null.NULL ? first : Value.Truth.FALSE;
      }
      Value second = right.evaluate(scope);
      return second == Value.Null.NULL ? second : Value.of(second.isTrue());
    }
  }

  /** As {@link And}. */
  record Or(Expression left, Expression right) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value first = left.evaluate(scope);
      if (first == Value.Null.NULL || first.isTrue()) {
        return first == Value.Null.NULL ? first : Value.Truth.TRUE;
      }
      Value second = right.evaluate(scope);
      return second == Value.Null.NULL ? second : Value.of(second.isTrue());
    }
  }

  /** CASE WHEN condition THEN value ... ELSE value END. */
  record Case(Expression condition, Expression value, Expression otherwise) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      return (condition.evaluate(scope).isTrue() ? value : otherwise).evaluate(scope);
    }
  }
}
