package io.shardmark.proxy.merge;

import java.math.BigDecimal;
import org.postgresql.util.ByteConverter;

/**
 * A numeric, ordered as PostgreSQL does: -Infinity, numbers, Infinity, NaN; 1.0 equals 1.00.
 *
 * @param special what is no number, which {@link Double#compare} puts in that order; 0 for a number
 */
record NumericValue(double special, BigDecimal number) implements Comparable<NumericValue> {
  private static NumericValue of(Number value) {
    return value instanceof BigDecimal number
        ? new NumericValue(0, number)
        : new NumericValue(value.doubleValue(), BigDecimal.ZERO);
  }

  static NumericValue ofText(String text) {
    return switch (text) {
      case "NaN", "Infinity", "-Infinity" -> of(Double.valueOf(text));
      default -> of(new BigDecimal(text));
    };
  }

  static NumericValue ofBinary(byte[] value) {
    return of(ByteConverter.numeric(value));
  }

  @Override
  public int compareTo(NumericValue other) {
    int order = Double.compare(special, other.special);
    return order == 0 ? number.compareTo(other.number) : order;
  }
}
