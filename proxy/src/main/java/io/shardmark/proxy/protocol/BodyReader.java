package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * A cursor over one message's body that trusts nothing in it: reading past the end, a string
 * without its terminator and bytes left over are {@link ProtocolViolationException}s. Borrows the
 * buffer and leaves its indices alone. Text is read as UTF-8; bytes that are not become U+FFFD.
 */
public final class BodyReader {
  private final String name;
  private final ByteBuf buffer;
  private final int end;
  private int index;

  /**
   * @param name of the message, for error texts
   * @param start of the body, after the length word
   */
  public BodyReader(String name, ByteBuf buffer, int start, int length) {
    this.name = name;
    this.buffer = buffer;
    this.index = start;
    this.end = start + length;
  }

  /** The body of a whole message as a {@link MessageFramer} delivers it. */
  public static BodyReader ofMessage(String name, ByteBuf buffer, int start, int length) {
    return new BodyReader(
        name, buffer, start + Encoding.HEADER_LENGTH, length - Encoding.HEADER_LENGTH);
  }

  public int remaining() {
    return end - index;
  }

  /** Where in the buffer the next byte is. */
  public int index() {
    return index;
  }

  public byte int8() {
    require(1);
    return buffer.getByte(index++);
  }

  /** Int16 as an unsigned number, as all counts are since there may be 65,535 parameters. */
  public int uint16() {
    require(Short.BYTES);
    int value = buffer.getUnsignedShort(index);
    index += Short.BYTES;
    return value;
  }

  public short int16() {
    return (short) uint16();
  }

  public int int32() {
    require(Integer.BYTES);
    int value = buffer.getInt(index);
    index += Integer.BYTES;
    return value;
  }

  /** A count of things that take at least so many bytes each; checked against what is left. */
  public int count(String things, int bytesEach) {
    int count = uint16();
    if ((long) count * bytesEach > remaining()) {
      throw violation("declares " + count + " " + things + ", " + remaining() + " bytes left");
    }
    return count;
  }

  /** A string up to its terminator. */
  public String string() {
    int start = index;
    skipString();
    return text(start, index - 1 - start);
  }

  /** Steps over a string and its terminator. */
  public void skipString() {
    int terminator = buffer.indexOf(index, end, (byte) 0);
    if (terminator < 0) {
      throw violation("has a string without an end");
    }
    index = terminator + 1;
  }

  public byte[] bytes(int count) {
    require(count);
    byte[] bytes = new byte[count];
    buffer.getBytes(index, bytes);
    index += count;
    return bytes;
  }

  public void expectEnd() {
    if (index != end) {
      throw violation("has " + remaining() + " bytes left over");
    }
  }

  /** What to throw for this message. */
  public ProtocolViolationException violation(String what) {
    return new ProtocolViolationException(name + " " + what);
  }

  private String text(int start, int length) {
    return buffer.toString(start, length, StandardCharsets.UTF_8);
  }

  private void require(int count) {
    if (count < 0 || count > end - index) {
      throw violation("needs " + count + " more bytes, " + remaining() + " left");
    }
  }
}
