package io.shardmark.driver.script;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;

/** pgbench's functions and operators. Operators have names that no script can write. */
enum Function {
  ADD("+", 2, (v, random) -> numbers(v, Math::addExact, Double::sum)),
  SUBTRACT("-", 2, (v, random) -> numbers(v, Math::subtractExact, (a, b) -> a - b)),
  MULTIPLY("*", 2, (v, random) -> numbers(v, Math::multiplyExact, (a, b) -> a * b)),
  DIVIDE("/", 2, (v, random) -> numbers(v, Function::quotient, (a, b) -> a / b)),
  REMAINDER("%", 2, (v, random) -> integers(v, Function::remainder)),
  BIT_OR("|", 2, (v, random) -> integers(v, (a, b) -> a | b)),
  BIT_XOR("#", 2, (v, random) -> integers(v, (a, b) -> a ^ b)),
  BIT_AND("&", 2, (v, random) -> integers(v, (a, b) -> a & b)),
  SHIFT_LEFT("<<", 2, (v, random) -> integers(v, (a, b) -> a << b)),
  SHIFT_RIGHT(">>", 2, (v, random) -> integers(v, (a, b) -> a >> b)),
  EQUAL("=", 2, (v, random) -> Value.of(compare(v) == 0)),
  NOT_EQUAL("<>", 2, (v, random) -> Value.of(compare(v) != 0)),
  LESS("<", 2, (v, random) -> Value.of(compare(v) < 0)),
  AT_MOST("<=", 2, (v, random) -> Value.of(compare(v) <= 0)),
  NOT("NOT", 1, (v, random) -> Value.of(!v[0].isTrue())),
  /** NULL, TRUE and FALSE are themselves only. */
  IS("IS", 2, (v, random) -> Value.of(v[0].equals(v[1]))),

  ABS("abs", 1, (v, random) -> v[0].asDouble() < 0 ? negative(v[0]) : v[0]),
  DEBUG("debug", 1, (v, random) -> v[0]),
  DOUBLE("double", 1, (v, random) -> new Value.Real(v[0].asDouble())),
  INT("int", 1, (v, random) -> new Value.Whole(v[0].asLong())),
  EXP("exp", 1, (v, random) -> real(v, Math::exp)),
  LN("ln", 1, (v, random) -> real(v, Math::log)),
  SQRT("sqrt", 1, (v, random) -> real(v, Math::sqrt)),
  PI("pi", 0, (v, random) -> new Value.Real(Math.PI)),
  POW("pow", 2, (v, random) -> power(v)),
  POWER("power", 2, (v, random) -> power(v)),
  MOD("mod", 2, (v, random) -> integers(v, Function::remainder)),
  LEAST("least", Function.ANY, (v, random) -> chosen(v, Math::min, Math::min)),
  GREATEST("greatest", Function.ANY, (v, random) -> chosen(v, Math::max, Math::max)),
  HASH("hash", 2, (v, random) -> integers(v, Hashes::murmur2)),
  HASH_FNV1A("hash_fnv1a", 2, (v, random) -> integers(v, Hashes::fnv1a)),
  HASH_MURMUR2("hash_murmur2", 2, (v, random) -> integers(v, Hashes::murmur2)),
  PERMUTE(
      "permute",
      3,
      (v, random) -> new Value.Whole(Hashes.permute(v[0].asLong(), v[1].asLong(), v[2].asLong()))),
  RANDOM(
      "random",
      2,
      (v, random) -> new Value.Whole(Draws.uniform(random, v[0].asLong(), v[1].asLong()))),
  RANDOM_EXPONENTIAL("random_exponential", 3, (v, random) -> drawn(v, random, Draws::exponential)),
  RANDOM_GAUSSIAN("random_gaussian", 3, (v, random) -> drawn(v, random, Draws::gaussian)),
  RANDOM_ZIPFIAN("random_zipfian", 3, (v, random) -> drawn(v, random, Draws::zipfian));

  /** One argument or more. */
  static final int ANY = -1;

  private final String functionName;
  private final int arity;

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
  private final FunctionBody body;

  @FunctionalInterface
  private interface FunctionBody {
    Value apply(Value[] values, SplittableRandom random);
  }

  @FunctionalInterface
  private interface Distribution {
    long draw(SplittableRandom random, long low, long high, double parameter);
  }

  Function(String functionName, int arity, FunctionBody body) {
    this.functionName = functionName;
    this.arity = arity;
    this.body = body;
  }

  static Optional<Function> named(String name) {
    return Arrays.stream(values())
        .filter(function -> function.functionName.equals(name))
        .findFirst();
  }

  /** How many arguments it takes, or {@link #ANY}. */
  int arity() {
    return arity;
  }

  /** True if its last argument is a seed, {@code :default_seed} if it is left out. */
  boolean hasSeed() {
    return this == HASH || this == HASH_FNV1A || this == HASH_MURMUR2 || this == PERMUTE;
  }

  boolean takesNull() {
    return this == IS || this == DEBUG;
  }

  /**
   * @throws ScriptException if it cannot be computed with these values
   */
  Value apply(Value[] values, SplittableRandom random) {
    try {
      return body.apply(values, random);
    } catch (ArithmeticException e) {
      throw new ScriptException(functionName + ": " + e.getMessage());
    }
  }

  private static Value numbers(Value[] v, LongBinaryOperator whole, DoubleBinaryOperator real) {
    return v[0] instanceof Value.Real || v[1] instanceof Value.Real
        ? new Value.Real(real.applyAsDouble(v[0].asDouble(), v[1].asDouble()))
        : integers(v, whole);
  }

  private static Value integers(Value[] v, LongBinaryOperator operator) {
    return new Value.Whole(operator.applyAsLong(v[0].asLong(), v[1].asLong()));
  }

  private static Value real(Value[] v, DoubleUnaryOperator operator) {
    return new Value.Real(operator.applyAsDouble(v[0].asDouble()));
  }

  private static Value power(Value[] v) {
    return new Value.Real(Math.pow(v[0].asDouble(), v[1].asDouble()));
  }

  private static Value negative(Value value) {
    return numbers(new Value[] {new Value.Whole(0), value}, Math::subtractExact, (a, b) -> a - b);
  }

  private static long quotient(long a, long b) {
    if (b == 0) {
      throw new ArithmeticException("division by zero");
    }
    return b == -1 ? Math.negateExact(a) : a / b;
  }

  private static long remainder(long a, long b) {
    if (b == 0) {
      throw new ArithmeticException("division by zero");
    }
    return a % b;
  }

  private static int compare(Value[] v) {
    return v[0] instanceof Value.Real || v[1] instanceof Value.Real
        ? Double.compare(v[0].asDouble() + 0.0, v[1].asDouble() + 0.0)
        : Long.compare(v[0].asLong(), v[1].asLong());
  }

  private static Value chosen(Value[] v, LongBinaryOperator whole, DoubleBinaryOperator real) {
    Value chosen = v[0];
    for (Value value : v) {
      chosen = numbers(new Value[] {chosen, value}, whole, real);
    }
    return chosen;
  }

  private static Value drawn(Value[] v, SplittableRandom random, Distribution distribution) {
    return new Value.Whole(
        distribution.draw(random, v[0].asLong(), v[1].asLong(), v[2].asDouble()));
  }
}
