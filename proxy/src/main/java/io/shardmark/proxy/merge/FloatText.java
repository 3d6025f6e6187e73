package io.shardmark.proxy.merge;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteBuffer;

/**
 * float4 and float8 in PostgreSQL's text: the fewest digits that are read back as the same value
 * (extra_float_digits above 0, the default). Double.toString gives too many of them before JDK 19.
 */
final class FloatText {
  /**
   * From this power of ten on there is an exponent; PostgreSQL keeps to printf's %.15g and %.6g.
   */
  private static final int EXPONENT_FROM_8 = 15;

  private static final int EXPONENT_FROM_4 = 6;
  private static final int EXPONENT_BELOW = -4;
  private static final int MAX_DIGITS = 17;
  private static final BigDecimal TWO = BigDecimal.valueOf(2);

  private FloatText() {}

  static double ofBinary4(byte[] value) {
    return ByteBuffer.wrap(value).getFloat();
  }

  static double ofBinary8(byte[] value) {
    return ByteBuffer.wrap(value).getDouble();
  }

  static double parse4(byte[] value) {
    return Float.parseFloat(ValueKey.text(value));
  }

  static double parse8(byte[] value) {
    return Double.parseDouble(ValueKey.text(value));
  }

  static String text8(double value) {
    double size = Math.abs(value);
    return text(value, Math.nextDown(size), Math.nextUp(size), EXPONENT_FROM_8);
  }

  static String text4(float value) {
    float size = Math.abs(value);
    return text(value, Math.nextDown(size), Math.nextUp(size), EXPONENT_FROM_4);
  }

  private static String text(double value, double below, double above, int exponentFrom) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    String sign = Math.copySign(1.0, value) < 0 ? "-" : "";
    if (Double.isInfinite(value)) {
      return sign + "Infinity";
    }
    if (value == 0) {
      return sign + "0";
    }
    return sign + layOut(shortest(Math.abs(value), below, above), exponentFrom);
  }

  /**
   * The shortest decimal strictly between the middles to both neighbours, and of those the nearest.
   */
  private static BigDecimal shortest(double value, double below, double above) {
    BigDecimal exact = new BigDecimal(value);
    BigDecimal down = exact.subtract(new BigDecimal(below)).divide(TWO);
    BigDecimal up =
        Double.isInfinite(above) ? down : new BigDecimal(above).subtract(exact).divide(TWO);
    for (int digits = 1; digits < MAX_DIGITS; digits++) {
      for (RoundingMode mode :
          new RoundingMode[] {RoundingMode.HALF_EVEN, RoundingMode.UP, RoundingMode.DOWN}) {
        BigDecimal rounded = exact.round(new MathContext(digits, mode));
        BigDecimal error = rounded.subtract(exact);
        if (error.compareTo(up) < 0 && error.negate().compareTo(down) < 0) {
          return rounded.stripTrailingZeros();
        }
      }
    }
    return exact.round(new MathContext(MAX_DIGITS, RoundingMode.HALF_EVEN)).stripTrailingZeros();
  }

  private static String layOut(BigDecimal value, int exponentFrom) {
    int exponent = value.precision() - value.scale() - 1;
    if (exponent >= EXPONENT_BELOW && exponent < exponentFrom) {
      return value.toPlainString();
    }
    String digits = value.unscaledValue().toString();
    String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
    return "%se%s%02d".formatted(mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
  }
}
