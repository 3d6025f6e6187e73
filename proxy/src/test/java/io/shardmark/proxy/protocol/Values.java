package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists as several messages hold them: format codes, type OIDs, values. */
final class Values {
  private static final int MAX_COUNT = 0xFFFF;

  private Values() {}

  static List<Integer> decodeFormats(BodyReader body) {
    int count = body.count("format codes", Short.BYTES);
    List<Integer> formats = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int format = body.int16();
      if (format != 0 && format != 1) {
        throw body.violation("has format code " + format);
      }
      formats.add(format);
    }
    return formats;
  }

  static void encodeFormats(ByteBuf out, List<Integer> formats) {
    writeCount(out, formats.size());
    formats.forEach(out::writeShort);
  }

  static List<Integer> decodeOids(BodyReader body) {
    int count = body.count("type OIDs", Integer.BYTES);
    List<Integer> oids = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      oids.add(body.int32());
    }
    return oids;
  }

  static void encodeOids(ByteBuf out, List<Integer> oids) {
    writeCount(out, oids.size());
    oids.forEach(out::writeInt);
  }

  static List<@Nullable Bytes> decodeAll(BodyReader body) {
    int count = body.count("values", Integer.BYTES);
    List<@Nullable Bytes> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(decode(body));
    }
    return values;
  }

  static void encodeAll(ByteBuf out, List<@Nullable Bytes> values) {
    writeCount(out, values.size());
    values.forEach(value -> encode(out, value));
  }

  static @Nullable Bytes decode(BodyReader body) {
    int length = body.int32();
    if (length < -1) {
      throw body.violation("has a value of length " + length);
    }
    return length == -1 ? null : Bytes.read(body, length);
  }

  static void encode(ByteBuf out, @Nullable Bytes value) {
    if (value == null) {
      out.writeInt(-1);
    } else {
      out.writeInt(value.length());
      value.writeTo(out);
    }
  }

  /** {@code List.copyOf} takes no nulls. */
  static List<@Nullable Bytes> copy(List<@Nullable Bytes> values) {
    return Collections.unmodifiableList(new ArrayList<>(values));
  }

  /** For a trace: the number of values, then each. */
  static String trace(List<? extends @Nullable Object> values) {
    StringBuilder text = new StringBuilder().append(values.size());
    values.forEach(value -> text.append(' ').append(value == null ? "NULL" : value));
    return text.toString();
  }

  private static void writeCount(ByteBuf out, int count) {
    if (count > MAX_COUNT) {
      throw new IllegalArgumentException(count + " values; a message holds at most " + MAX_COUNT);
    }
    out.writeShort(count);
  }
}
