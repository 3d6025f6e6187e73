package io.shardmark.proxy.merge;

import io.shardmark.proxy.protocol.PgType;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads a column's bytes as a value that compares as PostgreSQL compares the type. Values of one
 * column are all of one class.
 */
@FunctionalInterface
interface ValueKey {
  Comparable<?> of(byte[] value);

  /** Two keys of the same column. */
  @SuppressWarnings("unchecked") // keys of a column are of one class, and comparable to it
  static int compare(Comparable<?> left, Comparable<?> right) {
    return ((Comparable<Object>) left).compareTo(right);
  }

  /**
   * For ORDER BY.
   *
   * @param rounded whether texts of floats are not the whole value: different ones would be equal
   * @throws MergeRefusedException 0A000, if the type or its collation is not known here
   */
  static ValueKey forOrder(RowField column, boolean byteOrdered, boolean rounded) {
    PgType type = PgType.of(column.typeOid());
    if (type == null) {
      throw unordered(column);
    }
    switch (type) {
      case TEXT, VARCHAR, BPCHAR -> {
        if (!byteOrdered) {
          throw new MergeRefusedException(
              SqlState.FEATURE_NOT_SUPPORTED,
              "the collation of column \""
                  + column.name()
                  + "\" cannot be compared outside the server",
              "Sort by another column, declare the column COLLATE \"C\", or name the sharding"
                  + " key.");
        }
      }
      case FLOAT4, FLOAT8 -> {
        if (rounded && column.format() == 0) {
          throw refused(column, "is rounded for its text by extra_float_digits");
        }
      }
      default -> {}
    }
    return ofType(type, column);
  }

  private static ValueKey ofType(PgType type, RowField column) {
    boolean binary = column.format() == 1;
    return switch (type) {
      case BOOL -> value -> value[0] == 1 || value[0] == 't';
      case INT2, INT4, INT8 -> binary ? ValueKey::signed : value -> Long.valueOf(text(value));
      case OID ->
          binary
              ? value -> Integer.toUnsignedLong(ByteBuffer.wrap(value).getInt())
              : value -> Long.valueOf(text(value));
      case NUMERIC -> binary ? NumericValue::ofBinary : value -> NumericValue.ofText(text(value));
      case FLOAT4 ->
          value ->
              withoutNegativeZero(
                  binary ? ByteBuffer.wrap(value).getFloat() : Float.parseFloat(text(value)));
      case FLOAT8 ->
          value ->
              withoutNegativeZero(
                  binary ? ByteBuffer.wrap(value).getDouble() : Double.parseDouble(text(value)));
      case DATE, TIME, TIMESTAMP, TIMESTAMPTZ ->
          binary ? ValueKey::signed : new DateTimeText(type, column);
      case BPCHAR -> ValueKey::unpadded;
      case BYTEA -> binary ? BytesKey::new : value -> hexBytea(value, column);
      case NAME, TEXT, VARCHAR, UUID -> BytesKey::new;
      default -> throw unordered(column);
    };
  }

  private static MergeRefusedException unordered(RowField column) {
    return refused(column, "has a type whose order is not known outside the server");
  }

  /** A column's value as ASCII text. */
  static String text(byte[] value) {
    return new String(value, StandardCharsets.ISO_8859_1);
  }

  /** 0A000 for a column, with the usual way out. */
  static MergeRefusedException refused(RowField column, String why) {
    return new MergeRefusedException(
        SqlState.FEATURE_NOT_SUPPORTED,
        "column \"" + column.name() + "\" " + why,
        "Cast it to a basic type, leave it to the client, or name the sharding key.");
  }

  private static Long signed(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    return switch (value.length) {
      case Short.BYTES -> (long) in.getShort();
      case Integer.BYTES -> (long) in.getInt();
      default -> in.getLong();
    };
  }

  /** -0 equals 0. Double.compare knows the rest: NaN is equal to itself and above all. */
  private static Double withoutNegativeZero(double value) {
    return value == 0 ? 0.0 : value;
  }

  /** Trailing blanks of character(n) do not count. */
  private static BytesKey unpadded(byte[] value) {
    int length = value.length;
    while (length > 0 && value[length - 1] == ' ') {
      length--;
    }
    return new BytesKey(Arrays.copyOf(value, length));
  }

  /** Digits of "\x6a" are in the order of the bytes they mean; those of "escape" do not. */
  private static BytesKey hexBytea(byte[] value, RowField column) {
    if (value.length < 2 || value[0] != '\\' || value[1] != 'x') {
      throw refused(column, "is shown in another format than bytea_output = hex");
    }
    return new BytesKey(value);
  }

  /** Bytes that compare as memcmp does, the shorter first. */
  final class BytesKey implements Comparable<BytesKey> {
    private final byte[] bytes;

    BytesKey(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int compareTo(BytesKey other) {
      return Arrays.compareUnsigned(bytes, other.bytes);
    }
  }
}
