package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;

/**
 * A whole message of a server where it lies; borrowed, for as long as the call that gives it lasts.
 *
 * @param start of the tag byte in the buffer
 * @param length with tag and length word
 */
public record Message(BackendType type, ByteBuf buffer, int start, int length) {
  /** What is after the length word, as a reader of fields. */
  public BodyReader fields() {
    return BodyReader.ofMessage(type.messageName(), buffer, start, length);
  }

  /** What is after the length word; borrowed. */
  public ByteBuf body() {
    return buffer.slice(bodyStart(), bodyLength());
  }

  /** Where in the buffer its body is. */
  public int bodyStart() {
    return start + Encoding.HEADER_LENGTH;
  }

  public int bodyLength() {
    return length - Encoding.HEADER_LENGTH;
  }

  /** A copy of the whole message, which the caller owns. */
  public ByteBuf copy() {
    return buffer.copy(start, length);
  }

  /** The whole message, which the caller owns and which shares the buffer. */
  public ByteBuf retainedSlice() {
    return buffer.retainedSlice(start, length);
  }

  /** Appends the whole message. */
  public void writeTo(ByteBuf out) {
    out.writeBytes(buffer, start, length);
  }
}
