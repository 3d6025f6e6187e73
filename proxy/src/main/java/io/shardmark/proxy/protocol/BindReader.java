package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Reads Bind messages where they lie: names, and where the formats and values are; nothing is
 * copied. One reader is used for one message after the other; what it says holds while the buffer
 * it borrows does.
 *
 * <p>{@link #read} checks the names only; the first question about formats or values checks the
 * rest. Belongs to one event loop.
 */
public final class BindReader {
  private static final int NOT_READ = -1;

  private final NameCache names;
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
  private int portalStart;
  private int statementStart;
  private int restStart;
  private int end;
  private int formatsStart;
  private int formatCount;
  private int parameterCount = NOT_READ;
  private int resultFormatsStart;
  private int resultFormatCount;

  /** Where the length word of each value is; only the first {@code parameterCount} count. */
  private int[] valueAt = new int[16];

  /**
   * @param names of the same event loop
   */
  public BindReader(NameCache names) {
    this.names = names;
  }

  /**
   * Turns to a message. Borrows the buffer.
   *
   * @param start of the tag byte
   * @param length with tag and length word
   * @throws ProtocolViolationException if its names have no end
   */
  public void read(ByteBuf buffer, int start, int length) {
    this.buffer = buffer;
    end = start + length;
    parameterCount = NOT_READ;
    portalStart = start + Encoding.HEADER_LENGTH;
    statementStart = endOfName(portalStart);
    restStart = endOfName(statementStart);
  }

  /** Lets go of the buffer, for a reader that is kept while no message is read. */
  public void clear() {
    buffer = Unpooled.EMPTY_BUFFER;
    parameterCount = NOT_READ;
  }

  private int endOfName(int from) {
    int terminator = buffer.indexOf(from, end, (byte) 0);
    if (terminator < 0) {
      throw violation("has a name without an end");
    }
    return terminator + 1;
  }

  public String portal() {
    return names.name(buffer, portalStart, statementStart - 1 - portalStart);
  }

  public String statement() {
    return names.name(buffer, statementStart, restStart - 1 - statementStart);
  }

  /** How many parameters have values here. */
  public int parameterCount() {
    readRest();
    return parameterCount;
  }

  /** Whether a parameter's value is binary, else it is text. */
  public boolean isBinary(int parameter) {
    readRest();
    check(parameter);
    if (formatCount == 0) {
      return false;
    }
    return buffer.getShort(formatsStart + Short.BYTES * (formatCount == 1 ? 0 : parameter)) == 1;
  }

  /** Length of a parameter's value in bytes; -1 for NULL. */
  public int valueLength(int parameter) {
    readRest();
    check(parameter);
    return buffer.getInt(valueAt[parameter]);
  }

  /** Where a parameter's value is in {@link #buffer}. */
  public int valueStart(int parameter) {
    readRest();
    check(parameter);
    return valueAt[parameter] + Integer.BYTES;
  }

  /** How many result formats are given: 0 all text, 1 for all columns, else one for each. */
  public int resultFormatCount() {
    readRest();
    return resultFormatCount;
  }

  /** One of the result formats: 0 text, 1 binary. */
  public int resultFormat(int index) {
    readRest();
    if (index < 0 || index >= resultFormatCount) {
      throw new IndexOutOfBoundsException(index);
    }
    return buffer.getShort(resultFormatsStart + Short.BYTES * index);
  }

  /** The buffer the message is in. */
  public ByteBuf buffer() {
    return buffer;
  }

  /** Where everything behind the names begins. */
  public int restStart() {
    return restStart;
  }

  /** Length of everything behind the names, in bytes. */
  public int restLength() {
    return end - restStart;
  }

  /** Everything behind the names, as a slice that the caller owns. */
  public ByteBuf rest() {
    return buffer.retainedSlice(restStart, restLength());
  }

  int portalStart() {
    return portalStart;
  }

  /** The portal's name with its terminator. */
  int portalBytes() {
    return statementStart - portalStart;
  }

  private void check(int parameter) {
    if (parameter < 0 || parameter >= parameterCount) {
      throw new IndexOutOfBoundsException(parameter);
    }
  }

  private void readRest() {
    if (parameterCount != NOT_READ) {
      return;
    }
    int index = restStart;
    formatCount = count(index, Short.BYTES, "parameter formats");
    formatsStart = index + Short.BYTES;
    index = formatsStart + Short.BYTES * formatCount;
    int values = count(index, Integer.BYTES, "parameters");
    if (formatCount > 1 && formatCount != values) {
      throw violation("has " + formatCount + " parameter formats for " + values + " parameters");
    }
    index = readValues(index + Short.BYTES, values);
    resultFormatCount = count(index, Short.BYTES, "result formats");
    resultFormatsStart = index + Short.BYTES;
    int left = end - resultFormatsStart - Short.BYTES * resultFormatCount;
    if (left != 0) {
      throw violation("has " + left + " bytes left over");
    }
    checkFormats(formatsStart, formatCount);
    checkFormats(resultFormatsStart, resultFormatCount);
    parameterCount = values;
  }

  private int readValues(int from, int values) {
    if (values > valueAt.length) {
      valueAt = new int[Math.max(values, 2 * valueAt.length)];
    }
    int index = from;
    for (int i = 0; i < values; i++) {
      if (end - index < Integer.BYTES) {
        throw violation("ends before the length of parameter " + (i + 1));
      }
      valueAt[i] = index;
      int length = buffer.getInt(index);
      index += Integer.BYTES;
      if (length < -1 || length > end - index) {
        throw violation(
            "declares "
                + length
                + " bytes for parameter "
                + (i + 1)
                + ", "
                + (end - index)
                + " left");
      }
      index += Math.max(length, 0);
    }
    return index;
  }

  private int count(int index, int bytesEach, String things) {
    int left = end - index - Short.BYTES;
    if (left < 0) {
      throw violation("ends before its number of " + things);
    }
    int count = buffer.getUnsignedShort(index);
    if ((long) count * bytesEach > left) {
      throw violation("declares " + count + " " + things + ", " + left + " bytes left");
    }
    return count;
  }

  private void checkFormats(int from, int count) {
    for (int i = 0; i < count; i++) {
      int format = buffer.getShort(from + Short.BYTES * i);
      if (format != 0 && format != 1) {
        throw violation("has format code " + format);
      }
    }
  }

  private static ProtocolViolationException violation(String what) {
    return new ProtocolViolationException("Bind " + what);
  }
}
