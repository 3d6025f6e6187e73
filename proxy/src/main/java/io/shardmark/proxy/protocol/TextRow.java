package io.shardmark.proxy.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads rows whose values are all in text format. */
public final class TextRow {
  private TextRow() {}

  /**
   * The values of a whole DataRow; what is not UTF-8 in them becomes U+FFFD.
   *
   * @throws ProtocolViolationException if it is malformed
   */
  public static List<@Nullable String> read(Message message) {
    return read(message, bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  /**
   * The same of values that must be UTF-8.
   *
   * @param otherwise what is thrown if one is not
   */
  public static List<@Nullable String> readUtf8(
      Message message, Supplier<? extends RuntimeException> otherwise) {
    return read(
        message,
        bytes -> {
          String text = new String(bytes, StandardCharsets.UTF_8);
          if (!Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)) {
            throw otherwise.get();
          }
          return text;
        });
  }

  private static List<@Nullable String> read(Message message, Function<byte[], String> text) {
    BodyReader row = message.fields();
    @Nullable String[] values = new String[row.count("values", Integer.BYTES)];
    for (int i = 0; i < values.length; i++) {
      int bytes = row.int32();
      values[i] = bytes < 0 ? null : text.apply(row.bytes(bytes));
    }
    return Arrays.asList(values);
  }
}
