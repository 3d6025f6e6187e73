package io.shardmark.proxy.merge;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A numeric, ordered as PostgreSQL does: -Infinity, numbers, Infinity, NaN; 1.0 equals 1.00. */
final class NumericValue implements Comparable<NumericValue> {
  /** Decimal digits of one of PostgreSQL's digits, base 10000. */
  private static final int DIGIT_WIDTH = 4;

  private final Kind kind;
  private final BigDecimal number;

  /** In ascending order. {@code sign} is the word in the binary format. */
  private enum Kind {
    NEGATIVE_INFINITY(0xF000),
    NUMBER(0),
    INFINITY(0xD000),
    NAN(0xC000);

    final int sign;

    Kind(int sign) {
      this.sign = sign;
    }
  }

  private static final int NEGATIVE = 0x4000;

  private NumericValue(Kind kind, @Nullable BigDecimal number) {
    this.kind = kind;
    this.number = number == null ? BigDecimal.ZERO : number;
  }

  static NumericValue of(BigDecimal number) {
    return new NumericValue(Kind.NUMBER, number);
  }

  static NumericValue ofText(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "nan" -> new NumericValue(Kind.NAN, null);
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
