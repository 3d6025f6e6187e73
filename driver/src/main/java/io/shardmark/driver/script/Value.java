package io.shardmark.driver.script;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** The value of a variable or an expression. Immutable. */
sealed interface Value {
  /** A 64-bit integer. */
  record Whole(long number) implements Value {
    @Override
    public long asLong() {
      return number;
    }

    @Override
    public double asDouble() {
      return number;
    }

    @Override
    public String text() {
      return Long.toString(number);
    }
  }

  /** A double. */
  record Real(double number) implements Value {
    private static final MathContext DIGITS = new MathContext(15);

    /** The nearest integer, the even one of two. */
    @Override
    public long asLong() {
      double rounded = Math.rint(number);
      if (!(rounded >= Long.MIN_VALUE && rounded < -(double) Long.MIN_VALUE)) {
        throw new ScriptException(number + " does not fit an integer");
      }
      return (long) rounded;
    }

    @Override
    public double asDouble() {
      return number;
    }

    /** With 15 digits, as pgbench sends it. */
    @Override
    public String text() {
      if (Double.isNaN(number) || Double.isInfinite(number)) {
        return Double.toString(number);
      }
      BigDecimal rounded = new BigDecimal(number).round(DIGITS).stripTrailingZeros();
      int exponent = rounded.precision() - rounded.scale() - 1;
      boolean plain = exponent >= -4 && exponent < DIGITS.getPrecision();
      return plain ? rounded.toPlainString() : rounded.toString();
    }
  }

  /** SQL's NULL and the truth values. */
  enum ConstantValue implements Value {
    NULL,
    TRUE,
    FALSE;

    @Override
    public boolean isTrue() {
      return this == TRUE;
    }

    @Override
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What the user or a query gave: sent as it is, a number where an expression asks for one. */
  record TextValue(String text) implements Value {
    @Override
    public boolean isTrue() {
      return inExpression().isTrue();
    }

    @Override
    public Value inExpression() {
      if (text.matches("[+-]?\\d{1,18}")) {
        return new Whole(Long.parseLong(text));
      }
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "null" -> ConstantValue.NULL;
        case "true", "t", "yes", "y", "on" -> ConstantValue.TRUE;
        case "false", "f", "no", "n", "off" -> ConstantValue.FALSE;
        default -> number();
      };
    }

    private Value number() {
      try {
        return new Real(Double.parseDouble(text));
      } catch (NumberFormatException e) {
        throw new ScriptException("'" + text + "' is no number");
      }
    }
  }

  static Value of(boolean truth) {
    return truth ? ConstantValue.TRUE : ConstantValue.FALSE;
  }

  /** True for numbers other than 0, as the condition of a branch has it. */
  default boolean isTrue() {
    return asDouble() != 0;
  }

  /** As a statement's parameter in text. */
  String text();

  /** What it is in an expression. */
  default Value inExpression() {
    return this;
  }

  /**
   * @throws ScriptException if it is no number
   */
  default long asLong() {
    throw new ScriptException("'" + text() + "' is no number");
  }

  /**
   * @throws ScriptException if it is no number
   */
  default double asDouble() {
    throw new ScriptException("'" + text() + "' is no number");
  }
}
