package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** The parts that all messages are written from. */
final class Encoding {
  /** Tag and length word. */
  static final int HEADER_LENGTH = 5;

  private Encoding() {}

  /** Writes tag and room for the length; the result is for {@link #end}. */
  static int begin(ByteBuf out, byte code) {
    int start = out.writerIndex();
    out.writeByte(code).writeInt(0);
    return start;
  }

  /** Fills in the length. */
  static void end(ByteBuf out, int start) {
    out.setInt(start + 1, out.writerIndex() - start - 1);
  }

  /** A message without a body. */
  static void empty(ByteBuf out, byte code) {
    out.ensureWritable(HEADER_LENGTH).writeByte(code).writeInt(Integer.BYTES);
  }

  /**
   * UTF-8 and the terminator. A zero inside would end the string early and shift all that follows.
   */
  static void writeString(ByteBuf out, String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a string of the protocol cannot hold a zero character");
    }
    ByteBufUtil.writeUtf8(out, text);
    out.writeByte(0);
  }
}
