package io.shardmark.loader.writer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.shardmark.loader.data.RowWriter;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * Encodes rows as BenchmarkSQL's CSV files have them: comma separated, nothing quoted, LF, a chosen
 * text for NULL. Blocks always end at the end of a line, so that several workers can append to one
 * file.
 */
public final class CsvEncoder implements RowWriter {
  // Timestamp.toString, whose shape BenchmarkSQL's files have: at least one digit of the fraction.
  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
          .toFormatter(Locale.ROOT);
  private static final int LONGEST_NUMBER = 24;

  private final BlockSink sink;
  private final byte[] nullText;
  private final byte[] buffer;
  private final int flushAt;
  private final byte[] digits = new byte[LONGEST_NUMBER];
  private int position;
  private boolean lineOpen;
  private long lastMicros;
  private byte[] lastTimestamp = new byte[0];

  /**
   * @param sink gets blocks of whole lines
   * @param nullText written for NULL
   * @param blockBytes size of the buffer, above 4,096: the room kept for a row
   */
  public CsvEncoder(BlockSink sink, String nullText, int blockBytes) {
    this.sink = sink;
    this.nullText = nullText.getBytes(UTF_8);
    buffer = new byte[blockBytes];
    flushAt = blockBytes - BinaryCopyEncoder.ROW_ROOM;
  }

  /** Starts anew; what is buffered is forgotten. */
  public void begin() {
    position = 0;
    lineOpen = false;
  }

  /** Ends the last line and writes what is buffered. */
  public void finish() {
    endLine();
    if (position > 0) {
      flush();
    }
  }

  @Override
  public void startRow() {
    endLine();
    if (position > flushAt) {
      flush();
    }
    lineOpen = true;
  }

  @Override
  public void int32(int value) {
    number(value, 0);
  }

  @Override
  public void decimal(long unscaled, int scale) {
    number(unscaled, scale);
  }

  @Override
  public void text(byte[] ascii, int offset, int length) {
    System.arraycopy(ascii, offset, buffer, position, length);
    position += length;
    buffer[position++] = ',';
  }

  @Override
  public void timestamp(long epochMicros) {
    // Nearly all timestamps of a load are the same.
    if (epochMicros != lastMicros || lastTimestamp.length == 0) {
      lastMicros = epochMicros;
      lastTimestamp =
          LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC)
              .plus(epochMicros, ChronoUnit.MICROS)
              .format(TIMESTAMP)
              .getBytes(UTF_8);
    }
    text(lastTimestamp, 0, lastTimestamp.length);
  }

  @Override
  public void nullValue() {
    text(nullText, 0, nullText.length);
  }

  private void number(long unscaled, int scale) {
    long rest = Math.abs(unscaled);
    int at = LONGEST_NUMBER;
    int written = 0;
    do {
      if (written == scale && scale > 0) {
        digits[--at] = '.';
      }
      digits[--at] = (byte) ('0' + rest % 10);
      rest /= 10;
      written++;
    } while (rest > 0 || written <= scale);
    if (unscaled < 0) {
      digits[--at] = '-';
    }
    text(digits, at, LONGEST_NUMBER - at);
  }

  /** Turns the comma after the last field into the end of the line. */
  private void endLine() {
    if (lineOpen) {
      buffer[position - 1] = '\n';
      lineOpen = false;
    }
  }

  private void flush() {
    sink.write(buffer, 0, position);
    position = 0;
  }
}
