package io.shardmark.loader.data;

/**
 * Takes rows field by field, in the column order of {@link DataTable}. Nothing is kept of the
 * arguments after a call returns, so that a generator can reuse its buffers and a row costs no
 * garbage. Used by one thread.
 *
 * <p>Every method may throw {@link RowWriteException} when the rows cannot be brought to where they
 * belong.
 */
public interface RowWriter {
  /** Starts a row; the row before it is complete. */
  void startRow();

  void int32(int value);

  /** ASCII text without control characters, commas, quotes or backslashes. */
  void text(byte[] ascii, int offset, int length);

  /**
   * The number {@code unscaled} / 10^{@code scale}; money never passes through floating point.
   *
   * @param scale digits after the decimal point, 0 .. 4
   */
  void decimal(long unscaled, int scale);

  /**
   * A timestamp without time zone.
   *
   * @param epochMicros microseconds from 1970-01-01 00:00:00 on the same wall clock
   */
  void timestamp(long epochMicros);

  void nullValue();
}
