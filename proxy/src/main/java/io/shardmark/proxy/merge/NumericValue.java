package io.shardmark.proxy.merge;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A numeric, with the number of digits after the point that it is shown with. Ordered as PostgreSQL
 * does: -Infinity, numbers, Infinity, NaN; 1.0 equals 1.00.
 */
final class NumericValue implements Comparable<NumericValue> {
  static final NumericValue NAN = new NumericValue(Kind.NAN, null);

  /** PostgreSQL's NUMERIC_MIN_SIG_DIGITS: a quotient has at least as many. */
  private static final int MIN_SIGNIFICANT_DIGITS = 16;

  /** PostgreSQL's NUMERIC_MAX_DISPLAY_SCALE. */
  private static final int MAX_SCALE = 1000;

  /** Decimal digits of one of PostgreSQL's digits, base 10000. */
  private static final int DIGIT_WIDTH = 4;

  private final Kind kind;
  private final BigDecimal number;

  /** In ascending order. {@code sign} is the word in the binary format. */
  private enum Kind {
    NEGATIVE_INFINITY("-Infinity", 0xF000),
    NUMBER("", 0),
    INFINITY("Infinity", 0xD000),
    NAN("NaN", 0xC000);

    final String text;
    final int sign;

    Kind(String text, int sign) {
      this.text = text;
      this.sign = sign;
    }
  }

  private static final int NEGATIVE = 0x4000;

  /** Means nothing, but is what PostgreSQL sends. */
  private static final short INFINITY_SCALE = 0x20;

  private NumericValue(Kind kind, @Nullable BigDecimal number) {
    this.kind = kind;
    this.number = number == null ? BigDecimal.ZERO : number;
  }

  static NumericValue of(BigDecimal number) {
    return new NumericValue(Kind.NUMBER, number);
  }

  static NumericValue ofText(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "nan" -> NAN;
      case "infinity" -> new NumericValue(Kind.INFINITY, null);
      case "-infinity" -> new NumericValue(Kind.NEGATIVE_INFINITY, null);
      default -> of(new BigDecimal(text));
    };
  }

  /** Count of digits, weight of the first, sign, scale, then the digits; 16 bits each. */
  static NumericValue ofBinary(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    int digits = in.getShort();
    int weight = in.getShort();
    int sign = in.getShort() & 0xFFFF;
    int scale = in.getShort() & 0x3FFF;
    for (Kind kind : Kind.values()) {
      if (kind != Kind.NUMBER && kind.sign == sign) {
        return new NumericValue(kind, null);
      }
    }
    StringBuilder decimal = new StringBuilder(digits * DIGIT_WIDTH + 1).append('0');
    for (int i = 0; i < digits; i++) {
      decimal.append(String.valueOf(10_000 + in.getShort()), 1, 1 + DIGIT_WIDTH);
    }
    BigDecimal number =
        new BigDecimal(new BigInteger(decimal.toString()), (digits - 1 - weight) * DIGIT_WIDTH);
    // Digits beyond the scale are zeros: each of PostgreSQL's holds four.
    return of((sign == NEGATIVE ? number.negate() : number).setScale(scale, RoundingMode.DOWN));
  }

  /** The scale is the larger one. */
  NumericValue add(NumericValue other) {
    if (kind == Kind.NUMBER && other.kind == Kind.NUMBER) {
      return of(number.add(other.number));
    }
    if (kind == Kind.NUMBER) {
      return other;
    }
    return other.kind == Kind.NUMBER || other.kind == kind ? this : NAN;
  }

  /**
   * As PostgreSQL's avg divides a sum by a count.
   *
   * @param count above 0
   */
  NumericValue divide(long count) {
    if (kind != Kind.NUMBER) {
      return this;
    }
    BigDecimal divisor = BigDecimal.valueOf(count);
    return of(number.divide(divisor, quotientScale(number, divisor), RoundingMode.HALF_UP));
  }

  /**
   * PostgreSQL's select_div_scale: at least 16 significant digits, counted in whole base digits.
   */
  private static int quotientScale(BigDecimal dividend, BigDecimal divisor) {
    int weight = weight(dividend) - weight(divisor);
    if (firstDigit(dividend) <= firstDigit(divisor)) {
      weight--;
    }
    int scale = MIN_SIGNIFICANT_DIGITS - weight * DIGIT_WIDTH;
    return Math.min(Math.max(scale, dividend.scale()), MAX_SCALE);
  }

  /** The power of 10000 of the first digit that is not 0; 0 for zero. */
  private static int weight(BigDecimal value) {
    return value.signum() == 0
        ? 0
        : Math.floorDiv(value.precision() - value.scale() - 1, DIGIT_WIDTH);
  }

  private static int firstDigit(BigDecimal value) {
    return value.abs().movePointLeft(weight(value) * DIGIT_WIDTH).intValue();
  }

  String text() {
    return kind == Kind.NUMBER ? number.toPlainString() : kind.text;
  }

  byte[] binary() {
    if (kind != Kind.NUMBER) {
      short scale = kind == Kind.NAN ? 0 : INFINITY_SCALE;
      return ByteBuffer.allocate(8).putInt(0).putShort((short) kind.sign).putShort(scale).array();
    }
    int scale = number.scale();
    int padding = Math.floorMod(-scale, DIGIT_WIDTH);
    String decimal = number.unscaledValue().abs().toString() + "0".repeat(padding);
    decimal = "0".repeat(Math.floorMod(-decimal.length(), DIGIT_WIDTH)) + decimal;
    int last = decimal.length() / DIGIT_WIDTH;
    int weight = last - (scale + padding) / DIGIT_WIDTH - 1;
    int first = 0;
    while (first < last && digit(decimal, first) == 0) {
      first++;
      weight--;
    }
    while (last > first && digit(decimal, last - 1) == 0) {
      last--;
    }
    int digits = last - first;
    ByteBuffer out = ByteBuffer.allocate((4 + digits) * Short.BYTES);
    out.putShort((short) digits);
    out.putShort((short) (digits == 0 ? 0 : weight));
    out.putShort((short) (number.signum() < 0 ? NEGATIVE : 0));
    out.putShort((short) scale);
    for (int i = first; i < last; i++) {
      out.putShort(digit(decimal, i));
    }
    return out.array();
  }

  private static short digit(String decimal, int position) {
    int start = position * DIGIT_WIDTH;
    return Short.parseShort(decimal.substring(start, start + DIGIT_WIDTH));
  }

  @Override
  public int compareTo(NumericValue other) {
    return kind == Kind.NUMBER && other.kind == Kind.NUMBER
        ? number.compareTo(other.number)
        : kind.compareTo(other.kind);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NumericValue that && compareTo(that) == 0;
  }

  @Override
  public int hashCode() {
    return kind.hashCode() * 31 + number.stripTrailingZeros().hashCode();
  }
}
