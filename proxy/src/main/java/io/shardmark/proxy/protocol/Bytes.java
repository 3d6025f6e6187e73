package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes as a value: equal by content, never changed. */
public final class Bytes {
  private final byte[] array;

  private Bytes(byte[] array) {
    this.array = array;
  }

  /** A copy of these bytes. */
  public static Bytes of(byte... array) {
    return new Bytes(array.clone());
  }

  /** The text in UTF-8. */
  public static Bytes ofText(String text) {
    return new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** All that is left of a body. */
  static Bytes rest(BodyReader body) {
    return new Bytes(body.bytes(body.remaining()));
  }

  static Bytes read(BodyReader body, int count) {
    return new Bytes(body.bytes(count));
  }

  /** A copy. */
  public byte[] toArray() {
    return array.clone();
  }

  public int length() {
    return array.length;
  }

  /** Read as UTF-8. */
  public String text() {
    return new String(array, StandardCharsets.UTF_8);
  }

  void writeTo(ByteBuf out) {
    out.writeBytes(array);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }

  /** In single quotes; what is not printable ASCII as {@code \\xNN}, as libpq traces have it. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("'");
    for (byte b : array) {
      if (b >= ' ' && b < 0x7F && b != '\'' && b != '\\') {
        text.append((char) b);
      } else {
        text.append("\\x%02x".formatted(b & 0xFF));
      }
    }
    return text.append('\'').toString();
  }
}
