package io.shardmark.loader.writer;

import io.shardmark.loader.data.RowWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Encodes rows in PostgreSQL's binary COPY format (PG16, COPY, "Binary Format", sql-copy): {@code
 * integer} as four bytes, text as it is, {@code numeric} in base 10,000, {@code timestamp} as
 * microseconds from 2000. About half the size of text for numbers, and the server parses nothing.
 */
public final class BinaryCopyEncoder implements RowWriter {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final byte[] SIGNATURE = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0
  };
  private static final int HEADER_BYTES = SIGNATURE.length + 2 * Integer.BYTES;
  private static final short TRAILER = -1;
  private static final int NULL_LENGTH = -1;

  /** 2000-01-01 00:00:00 in microseconds from 1970. */
  private static final long POSTGRES_EPOCH_MICROS = 946_684_800_000_000L;

  private static final int NUMERIC_BASE = 10_000;
  private static final int NUMERIC_BASE_DIGITS = 4;
  private static final int NUMERIC_HEADER_BYTES = 4 * Short.BYTES;
  private static final short NUMERIC_NEGATIVE = 0x4000;
  private static final int[] POWERS_OF_TEN = {1, 10, 100, 1_000, 10_000};

  /** Every row fits: the widest, a customer, has under 900 bytes. */
  static final int ROW_ROOM = 4_096;

  private final BlockSink sink;
  private final byte[] buffer;
  private final int flushAt;
  private int position;
  private int columns;

  /**
   * @param sink gets blocks of up to {@code blockBytes}
   * @param blockBytes size of the buffer, above 4,096: the room kept for a row
   */
  public BinaryCopyEncoder(BlockSink sink, int blockBytes) {
    this.sink = sink;
    buffer = new byte[blockBytes];
    flushAt = blockBytes - ROW_ROOM;
  }

  /** Starts a COPY of rows of so many columns: signature, no flags, no header extension. */
  public void begin(int columnCount) {
    columns = columnCount;
    System.arraycopy(SIGNATURE, 0, buffer, 0, SIGNATURE.length);
    LONG.set(buffer, SIGNATURE.length, 0L);
    position = HEADER_BYTES;
  }

  /** Ends the COPY: writes the trailer and what is buffered. */
  public void finish() {
    SHORT.set(buffer, position, TRAILER);
    position += Short.BYTES;
    flush();
  }

  @Override
  public void startRow() {
    if (position > flushAt) {
      flush();
    }
    SHORT.set(buffer, position, (short) columns);
    position += Short.BYTES;
  }

  @Override
  public void int32(int value) {
    LONG.set(buffer, position, (long) Integer.BYTES << 32 | (value & 0xFFFF_FFFFL));
    position += Long.BYTES;
  }

  @Override
  public void text(byte[] ascii, int offset, int length) {
    INT.set(buffer, position, length);
    System.arraycopy(ascii, offset, buffer, position + Integer.BYTES, length);
    position += Integer.BYTES + length;
  }

  @Override
  public void timestamp(long epochMicros) {
    INT.set(buffer, position, Long.BYTES);
    LONG.set(buffer, position + Integer.BYTES, epochMicros - POSTGRES_EPOCH_MICROS);
    position += Integer.BYTES + Long.BYTES;
  }

  @Override
  public void nullValue() {
    INT.set(buffer, position, NULL_LENGTH);
    position += Integer.BYTES;
  }

  /**
   * {@code numeric_send}: number of base-10,000 digits, weight of the first one, sign, digits shown
   * after the point, the digits. Leading and trailing zero digits are left out, as the server does.
   */
  @Override
  public void decimal(long unscaled, int scale) {
    long magnitude = Math.abs(unscaled);
    int power = POWERS_OF_TEN[scale];
    long whole = magnitude / power;
    int fraction = (int) (magnitude % power) * POWERS_OF_TEN[NUMERIC_BASE_DIGITS - scale];
    int wholeDigits = 0;
    for (long rest = whole; rest > 0; rest /= NUMERIC_BASE) {
      wholeDigits++;
    }
    int weight = magnitude == 0 ? 0 : wholeDigits - 1;
    int digits = wholeDigits;
    int start = position + Integer.BYTES;
    int digitsAt = start + NUMERIC_HEADER_BYTES;
    if (fraction != 0) {
      SHORT.set(buffer, digitsAt + digits * Short.BYTES, (short) fraction);
      digits++;
    }
    long rest = whole;
    for (int i = wholeDigits - 1; i >= 0; i--) {
      int digit = (int) (rest % NUMERIC_BASE);
      SHORT.set(buffer, digitsAt + i * Short.BYTES, (short) digit);
      if (digit == 0 && digits == i + 1) {
        digits = i;
      }
      rest /= NUMERIC_BASE;
    }
    SHORT.set(buffer, start, (short) digits);
    SHORT.set(buffer, start + 2, (short) weight);
    SHORT.set(buffer, start + 4, unscaled < 0 ? NUMERIC_NEGATIVE : (short) 0);
    SHORT.set(buffer, start + 6, (short) scale);
    int length = NUMERIC_HEADER_BYTES + digits * Short.BYTES;
    INT.set(buffer, position, length);
    position = start + length;
  }

  private void flush() {
    sink.write(buffer, 0, position);
    position = 0;
  }
}
