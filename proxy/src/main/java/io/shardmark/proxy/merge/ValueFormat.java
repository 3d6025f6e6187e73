package io.shardmark.proxy.merge;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** Reads and writes the values of one column, in text or binary as the column comes. */
record ValueFormat<T>(Function<byte[], T> reader, Function<T, byte[]> writer) {
  T read(byte[] bytes) {
    return reader.apply(bytes);
  }

  byte[] write(T value) {
    return writer.apply(value);
  }

  static ValueFormat<Long> int8(ColumnDescription column) {
    if (ValueType.of(column.typeOid()) != ValueType.INT8) {
      throw ValueKey.refused(column, "was expected to be a bigint");
    }
    return column.binary()
        ? new ValueFormat<>(
            bytes -> ByteBuffer.wrap(bytes).getLong(),
            value -> ByteBuffer.allocate(Long.BYTES).putLong(value).array())
        : new ValueFormat<>(
            bytes -> Long.valueOf(ValueKey.text(bytes)), value -> ascii(value.toString()));
  }

  /** The sum of small integers is a bigint, their average a numeric. */
  static ValueFormat<NumericValue> int8AsNumeric(ColumnDescription column) {
    ValueFormat<Long> longs = int8(column);
    return new ValueFormat<>(
        bytes -> NumericValue.of(BigDecimal.valueOf(longs.read(bytes))), NumericValue::binary);
  }

  static ValueFormat<NumericValue> numeric(ColumnDescription column) {
    if (ValueType.of(column.typeOid()) != ValueType.NUMERIC) {
      throw ValueKey.refused(column, "was expected to be a numeric");
    }
    return column.binary()
        ? new ValueFormat<>(NumericValue::ofBinary, NumericValue::binary)
        : new ValueFormat<>(
            bytes -> NumericValue.ofText(ValueKey.text(bytes)), value -> ascii(value.text()));
  }

  static ValueFormat<Float> float4(ColumnDescription column) {
    return column.binary()
        ? new ValueFormat<>(
            bytes -> ByteBuffer.wrap(bytes).getFloat(),
            value -> ByteBuffer.allocate(Float.BYTES).putFloat(value).array())
        : new ValueFormat<>(
            bytes -> Float.valueOf(ValueKey.text(bytes)), value -> ascii(FloatText.text4(value)));
  }

  static ValueFormat<Double> float8(ColumnDescription column) {
    return column.binary()
        ? new ValueFormat<>(
            FloatText::ofBinary8,
            value -> ByteBuffer.allocate(Double.BYTES).putDouble(value).array())
        : new ValueFormat<>(FloatText::parse8, value -> ascii(FloatText.text8(value)));
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
