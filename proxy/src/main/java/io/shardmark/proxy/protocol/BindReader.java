package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Reads Bind messages where they lie: names, and where the formats and values are; nothing is
 * copied. One reader is used for one message after the other; what it says holds while the buffer
 * it borrows does.
 *
 * <p>{@link #read} checks the names only, a question about a value what is before it and the value,
 * one about the number of parameters or about result formats the whole message. Belongs to one
 * event loop.
 */
public final class BindReader {
  private static final int NOT_READ = -1;

  private final NameCache names;
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
  private int portalStart;
  private String portal = "";
  private int statementStart;
  private String statement = "";
  private int restStart;
  private int end;
  private int formatsStart;
  private int formatCount;
  private int parameterCount = NOT_READ;

  /** Of how many values it is known where they are, and where the next one is. */
  private int seenCount;

  private int nextValue;
  private int resultFormatsStart;
  private int resultFormatCount = NOT_READ;

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
    resultFormatCount = NOT_READ;
    portalStart = start + Encoding.HEADER_LENGTH;
    statementStart = endOfName(portalStart);
    restStart = endOfName(statementStart);
    portal = names.name(buffer, portalStart, statementStart - 1 - portalStart);
    statement = names.name(buffer, statementStart, restStart - 1 - statementStart);
  }

  private int endOfName(int from) {
    int terminator = buffer.indexOf(from, end, (byte) 0);
    if (terminator < 0) {
      throw violation("has a name without an end");
    }
    return terminator + 1;
  }

  public String portal() {
    return portal;
  }

  public String statement() {
    return statement;
  }

  /** How many parameters have values here. */
  public int parameterCount() {
    readRest();
    return parameterCount;
  }

  /** How many it says that there are; whether they are there has not been checked. */
  public int declaredParameterCount() {
    readCounts();
    return parameterCount;
  }

  /** Whether a parameter's value is binary, else it is text. */
  public boolean isBinary(int parameter) {
    readCounts();
    check(parameter);
    if (formatCount == 0) {
      return false;
    }
    if (formatCount > 1 && parameter >= formatCount) {
      throw otherFormats();
    }
    return buffer.getShort(formatsStart + Short.BYTES * (formatCount == 1 ? 0 : parameter)) == 1;
  }

  /** Length of a parameter's value in bytes; -1 for NULL. */
  public int valueLength(int parameter) {
    return buffer.getInt(find(parameter));
  }

  /** Where a parameter's value is in {@link #buffer}. */
  public int valueStart(int parameter) {
    return find(parameter) + Integer.BYTES;
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

  /** Where everything after the names begins. */
  public int restStart() {
    return restStart;
  }

  /** Length of everything after the names, in bytes. */
  public int restLength() {
    return end - restStart;
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

  private void readCounts() {
    if (parameterCount != NOT_READ) {
      return;
    }
    formatCount = count(restStart, Short.BYTES, "parameter formats");
    formatsStart = restStart + Short.BYTES;
    int values = formatsStart + Short.BYTES * formatCount;
    int count = count(values, Integer.BYTES, "parameters");
    if (count > valueAt.length) {
      valueAt = new int[Math.max(count, 2 * valueAt.length)];
    }
    seenCount = 0;
    nextValue = values + Short.BYTES;
    parameterCount = count;
  }

  private ProtocolViolationException otherFormats() {
    return violation(
        "has " + formatCount + " parameter formats for " + parameterCount + " parameters");
  }

  private void readRest() {
    if (resultFormatCount != NOT_READ) {
      return;
    }
    readCounts();
    if (formatCount > 1 && formatCount != parameterCount) {
      throw otherFormats();
    }
    readValues(parameterCount);
    int formats = count(nextValue, Short.BYTES, "result formats");
    resultFormatsStart = nextValue + Short.BYTES;
    int left = end - resultFormatsStart - Short.BYTES * formats;
    if (left != 0) {
      throw violation("has " + left + " bytes left over");
    }
    checkFormats(formatsStart, formatCount);
    checkFormats(resultFormatsStart, formats);
    resultFormatCount = formats;
  }

  /** Where the length word of a value is. */
  private int find(int parameter) {
    readCounts();
    check(parameter);
    readValues(parameter + 1);
    return valueAt[parameter];
  }

  /** Sees to it that so many values have been found. */
  private void readValues(int count) {
    while (seenCount < count) {
      int index = nextValue;
      if (end - index < Integer.BYTES) {
        throw violation("ends before the length of parameter " + (seenCount + 1));
      }
      valueAt[seenCount++] = index;
      int length = buffer.getInt(index);
      index += Integer.BYTES;
      if (length < -1 || length > end - index) {
        throw violation(
            "declares %d bytes for parameter %d, %d left"
                .formatted(length, seenCount, end - index));
      }
      nextValue = index + Math.max(length, 0);
    }
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
