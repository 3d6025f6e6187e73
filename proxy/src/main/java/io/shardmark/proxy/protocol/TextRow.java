package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads rows whose values are all in text format. */
public final class TextRow {
  private TextRow() {}

  /**
   * The values of a whole DataRow; what is not UTF-8 in them becomes U+FFFD.
   *
   * @param start of the tag byte
   * @param length with tag and length word
   * @throws ProtocolViolationException if it is malformed
   */
  public static List<@Nullable String> read(ByteBuf buffer, int start, int length) {
    return read(buffer, start, length, bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  /**
   * The same with another reading of a value's bytes.
   *
   * @param text not called for NULL
   */
  public static List<@Nullable String> read(
      ByteBuf buffer, int start, int length, Function<byte[], String> text) {
    BodyReader row = BodyReader.ofMessage("DataRow", buffer, start, length);
    @Nullable String[] values = new String[row.count("values", Integer.BYTES)];
    for (int i = 0; i < values.length; i++) {
      int bytes = row.int32();
      values[i] = bytes < 0 ? null : text.apply(row.bytes(bytes));
    }
    return Arrays.asList(values);
  }
}
