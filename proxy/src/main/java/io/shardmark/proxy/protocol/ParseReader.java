package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads Parse messages where they lie. One reader is used for one message after the other; what it
 * says holds while the buffer it borrows does. What follows the statement's name, the text and the
 * parameter types, is the statement's <em>definition</em>: statements with the same bytes there are
 * the same. Belongs to one event loop.
 */
public final class ParseReader {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final NameCache names;
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
  private int nameStart;
  private int textStart;
  private int textEnd;
  private int end;

  /**
   * @param names of the same event loop
   */
  public ParseReader(NameCache names) {
    this.names = names;
  }

  /**
   * Turns to a message and checks all of it. Borrows the buffer.
   *
   * @param start of the tag byte
   * @param length with tag and length word
   * @throws ProtocolViolationException if it is malformed
   */
  public void read(ByteBuf buffer, int start, int length) {
    this.buffer = buffer;
    nameStart = start + Encoding.HEADER_LENGTH;
    end = start + length;
    textStart = endOfString(nameStart);
    int afterText = endOfString(textStart);
    textEnd = afterText - 1;
    int left = end - afterText - Short.BYTES;
    if (left < 0) {
      throw violation("ends before its number of parameter types");
    }
    int count = buffer.getUnsignedShort(afterText);
    if (count * Integer.BYTES != left) {
      throw violation("declares " + count + " parameter types, " + left + " bytes left");
    }
  }

  /** Lets go of the buffer, for a reader that is kept while no message is read. */
  public void clear() {
    buffer = Unpooled.EMPTY_BUFFER;
  }

  /** The statement's name; empty for the unnamed one. */
  public String name() {
    return names.name(buffer, nameStart, textStart - 1 - nameStart);
  }

  /** The statement's text. */
  public String text() {
    return buffer.toString(textStart, textEnd - textStart, StandardCharsets.UTF_8);
  }

  /** How many parameter types are given; there may be more parameters. */
  public int typeCount() {
    return buffer.getUnsignedShort(textEnd + 1);
  }

  /** The type of parameter {@code index} (from 0); 0: the server finds out. */
  public int typeOid(int index) {
    if (index < 0 || index >= typeCount()) {
      throw new IndexOutOfBoundsException(index);
    }
    return buffer.getInt(textEnd + 1 + Short.BYTES + Integer.BYTES * index);
  }

  /** A copy of the definition, for {@link FrontendMessages#parse(ByteBuf, long, byte[])}. */
  public byte[] definition() {
    byte[] definition = new byte[definitionLength()];
    buffer.getBytes(textStart, definition);
    return definition;
  }

  /** Length of the definition in bytes. */
  public int definitionLength() {
    return end - textStart;
  }

  /** A hash of the definition; equal definitions have equal hashes in all processes. */
  public long definitionHash() {
    long hash = definitionLength();
    int index = textStart;
    for (; index <= end - Long.BYTES; index += Long.BYTES) {
      hash = mixed(hash ^ buffer.getLong(index));
    }
    for (; index < end; index++) {
      hash = mixed(hash ^ buffer.getByte(index));
    }
    return hash;
  }

  private static long mixed(long value) {
    long product = value * 0x9E3779B97F4A7C15L;
    return product ^ product >>> 29;
  }

  /** Whether the definition is that one. */
  public boolean isDefinition(byte[] definition) {
    if (definition.length != definitionLength()) {
      return false;
    }
    int i = 0;
    for (; i <= definition.length - Long.BYTES; i += Long.BYTES) {
      if (buffer.getLong(textStart + i) != (long) LONGS.get(definition, i)) {
        return false;
      }
    }
    for (; i < definition.length; i++) {
      if (buffer.getByte(textStart + i) != definition[i]) {
        return false;
      }
    }
    return true;
  }

  private int endOfString(int from) {
    int terminator = buffer.indexOf(from, end, (byte) 0);
    if (terminator < 0) {
      throw violation("has a string without an end");
    }
    return terminator + 1;
  }

  private static ProtocolViolationException violation(String what) {
    return new ProtocolViolationException("Parse " + what);
  }
}
