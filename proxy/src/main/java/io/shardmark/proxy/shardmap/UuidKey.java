package io.shardmark.proxy.shardmap;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Pattern;

/** Values of sharding columns of type {@code uuid}, from PostgreSQL's formats. Pure. */
public final class UuidKey {
  private static final int BYTES = 16;

  /** A hyphen may follow each four digits (PG18 §8.12). */
  private static final Pattern DIGITS = Pattern.compile("([0-9a-fA-F]{4}-?){7}[0-9a-fA-F]{4}");

  private UuidKey() {}

  /**
   * From the text format, perhaps in braces.
   *
   * @throws IllegalArgumentException if it is no uuid; the message is half a sentence
   */
  public static UUID parse(String text) {
    boolean braces = text.startsWith("{") && text.endsWith("}") && text.length() > 1;
    String digits = braces ? text.substring(1, text.length() - 1) : text;
    if (!DIGITS.matcher(digits).matches()) {
      throw new IllegalArgumentException("is not a uuid");
    }
    return ofBinary(ByteBuffer.wrap(HexFormat.of().parseHex(digits.replace("-", ""))));
  }

  /**
   * From the binary format.
   *
   * @throws IllegalArgumentException if it cannot be read; the message is half a sentence
   */
  public static UUID ofBinary(ByteBuffer value) {
    if (value.remaining() != BYTES) {
      throw new IllegalArgumentException("has " + value.remaining() + " bytes");
    }
    return new UUID(value.getLong(), value.getLong());
  }

  /** What PostgreSQL hashes. */
  static byte[] bytes(UUID value) {
    return ByteBuffer.allocate(BYTES)
        .putLong(value.getMostSignificantBits())
        .putLong(value.getLeastSignificantBits())
        .array();
  }
}
