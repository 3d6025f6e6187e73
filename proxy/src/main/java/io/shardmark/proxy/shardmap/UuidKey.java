package io.shardmark.proxy.shardmap;

import java.nio.ByteBuffer;
import java.util.UUID;

/** Values of sharding columns of type {@code uuid}, from PostgreSQL's formats. Pure. */
public final class UuidKey {
  private static final int BYTES = 16;

  private UuidKey() {}

  /**
   * From the text format. Braces around and a hyphen behind each four digits are allowed (PG18
   * §8.12).
   *
   * @throws IllegalArgumentException if it is no uuid; the message is half a sentence
   */
  public static UUID parse(CharSequence text) {
    int from = 0;
    int to = text.length();
    if (to > 1 && text.charAt(0) == '{' && text.charAt(to - 1) == '}') {
      from++;
      to--;
    }
    long[] halves = new long[2];
    int digits = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      boolean hyphen = c == '-' && digits % 4 == 0 && digits > 0 && digits < 32;
      if (hyphen && text.charAt(i - 1) != '-') {
        continue;
      }
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      if (digit < 0 || digits == 32) {
        throw new IllegalArgumentException("is not a uuid");
      }
      halves[digits / 16] = halves[digits / 16] << 4 | digit;
      digits++;
    }
    if (digits != 32) {
      throw new IllegalArgumentException("is not a uuid");
    }
    return new UUID(halves[0], halves[1]);
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

  /** PostgreSQL compares the bytes, without a sign. */
  static int compare(UUID a, UUID b) {
    int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
  }
}
