package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Token.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Integer literals with {@code + - * / %}, parentheses and {@code abs}, computed as PostgreSQL does
 * (PG18 §9.3 functions-math): a result has the wider type of its operands, and must fit it.
 */
final class ConstantArithmetic {
  /** It is something else, or an error that a server will tell. */
  private static final class NotConstant extends RuntimeException {
    NotConstant() {
      super(null, null, false, false);
    }
  }

  /**
   * @param wide bigint, else integer
   */
  private record Value(long number, boolean wide) {
    Value {
      if (!wide && number != (int) number) {
        throw new NotConstant();
      }
    }
  }

  private final TokenRange tokens;
  private final int end;
  private int at;

  private ConstantArithmetic(TokenRange tokens, int from, int to) {
    this.tokens = tokens;
    this.at = from;
    this.end = to;
  }

  /** Its value in digits; null if it is none. */
  static @Nullable String value(TokenRange tokens, int from, int to) {
    ConstantArithmetic expression = new ConstantArithmetic(tokens, from, to);
    try {
      Value value = expression.sum();
      return expression.at == to ? Long.toString(value.number) : null;
    } catch (NotConstant | ArithmeticException | NumberFormatException e) {
      return null;
    }
  }

  private boolean takes(String symbol) {
    boolean there = at < end && tokens.symbol(at, symbol);
    at += there ? 1 : 0;
    return there;
  }

  private Value sum() {
    Value value = product();
    while (true) {
      if (takes("+")) {
        Value other = product();
        value = new Value(Math.addExact(value.number, other.number), value.wide || other.wide);
      } else if (takes("-")) {
        Value other = product();
        value = new Value(Math.subtractExact(value.number, other.number), value.wide || other.wide);
      } else {
        return value;
      }
    }
  }

  private Value product() {
    Value value = operand();
    while (true) {
      if (takes("*")) {
        Value other = operand();
        value = new Value(Math.multiplyExact(value.number, other.number), value.wide || other.wide);
      } else if (takes("/")) {
        Value other = operand();
        value = new Value(value.number / other.number, value.wide || other.wide);
      } else if (takes("%")) {
        Value other = operand();
        value = new Value(value.number % other.number, value.wide || other.wide);
      } else {
        return value;
      }
    }
  }

  private Value operand() {
    if (takes("-")) {
      Value value = operand();
      return new Value(Math.negateExact(value.number), value.wide);
    }
    if (takes("+")) {
      return operand();
    }
    boolean abs = at < end && tokens.word(at, "abs") && tokens.symbol(at + 1, "(");
    at += abs ? 1 : 0;
    if (takes("(")) {
      Value value = sum();
      if (!takes(")")) {
        throw new NotConstant();
      }
      return abs && value.number < 0
          ? new Value(Math.negateExact(value.number), value.wide)
          : value;
    }
    if (at >= end || tokens.at(at).kind() != Kind.INTEGER) {
      throw new NotConstant();
    }
    Token literal = tokens.at(at++);
    long number = Long.parseLong(tokens.text(literal));
    return new Value(number, number != (int) number);
  }
}
