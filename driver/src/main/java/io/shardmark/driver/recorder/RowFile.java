package io.shardmark.driver.recorder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A text file of rows that is whole at any time: rows leave in write calls that end at a row's end,
 * and after a failed write the file is cut back to its last whole row. Used by one thread at a
 * time.
 */
public final class RowFile implements AutoCloseable {
  private static final int FLUSH_BYTES = 60 << 10;
  private static final int INITIAL_BYTES = 64 << 10;
  private static final int LONGEST_NUMBER = 20;
  private static final byte[] MIN_VALUE =
      Long.toString(Long.MIN_VALUE).getBytes(StandardCharsets.US_ASCII);

  private final SeekableByteChannel channel;
  private byte[] buffer = new byte[INITIAL_BYTES];
  private int length;
  private int wholeRows;
  private long written;
  private boolean closed;

  /**
   * @param channel at its start; owned by this object from now on
   */
  RowFile(SeekableByteChannel channel) {
    this.channel = channel;
  }

  /**
   * Makes a file whose header is there at once.
   *
   * @throws IOException if it cannot be made
   */
  public static RowFile create(Path path, String header) throws IOException {
    RowFile file =
        new RowFile(
            Files.newByteChannel(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    file.text(header).endRow();
    file.flush();
    return file;
  }

  RowFile text(byte[] text) {
    ensureRoom(text.length);
    System.arraycopy(text, 0, buffer, length, text.length);
    length += text.length;
    return this;
  }

  public RowFile text(String text) {
    return text(text.getBytes(StandardCharsets.UTF_8));
  }

  public RowFile comma() {
    ensureRoom(1);
    buffer[length++] = ',';
    return this;
  }

  /** Appends a whole number in decimal. */
  public RowFile number(long value) {
    if (value == Long.MIN_VALUE) {
      return text(MIN_VALUE);
    }
    ensureRoom(LONGEST_NUMBER);
    if (value < 0) {
      buffer[length++] = '-';
      value = -value;
    }
    int digits = 1;
    for (long rest = value / 10; rest > 0; rest /= 10) {
      digits++;
    }
    for (int at = length + digits - 1; at >= length; at--) {
      buffer[at] = (byte) ('0' + value % 10);
      value /= 10;
    }
    length += digits;
    return this;
  }

  /** Appends a time in milliseconds with three decimals, rounded to the microsecond. */
  public RowFile millis(long nanos) {
    long micros = (nanos + 500) / 1000;
    number(micros / 1000);
    ensureRoom(4);
    long fraction = micros % 1000;
    buffer[length++] = '.';
    buffer[length++] = (byte) ('0' + fraction / 100);
    buffer[length++] = (byte) ('0' + fraction / 10 % 10);
    buffer[length++] = (byte) ('0' + fraction % 10);
    return this;
  }

  /** Ends the row; writes if much has gathered. */
  public void endRow() throws IOException {
    ensureRoom(1);
    buffer[length++] = '\n';
    wholeRows = length;
    if (wholeRows >= FLUSH_BYTES) {
      flush();
    }
  }

  private void ensureRoom(int bytes) {
    if (buffer.length - length < bytes) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + bytes));
    }
  }

  /**
   * Writes all whole rows that have gathered.
   *
   * @throws IOException if not all could be written; the file then ends with its last whole row and
   *     is closed
   */
  public void flush() throws IOException {
    if (closed || wholeRows == 0) {
      return;
    }
    ByteBuffer rows = ByteBuffer.wrap(buffer, 0, wholeRows);
    try {
      while (rows.hasRemaining()) {
        channel.write(rows);
      }
    } catch (IOException e) {
      cutToWholeRow(rows.position(), e);
      throw e;
    }
    written += wholeRows;
    System.arraycopy(buffer, wholeRows, buffer, 0, length - wholeRows);
    length -= wholeRows;
    wholeRows = 0;
  }

  private void cutToWholeRow(int arrived, IOException cause) {
    int keep = arrived;
    while (keep > 0 && buffer[keep - 1] != '\n') {
      keep--;
    }
    closed = true;
    try (channel) {
      channel.truncate(written + keep);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /** Writes what has gathered and closes the file; does nothing if it is closed. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    flush();
    closed = true;
    channel.close();
  }
}
