package io.shardmark.driver.results.reader;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** A histogram as text: HdrHistogram's compressed form in Base64, as its logs have it. */
public final class HistogramText {
  private HistogramText() {}

  public static String of(Histogram histogram) {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(bytes);
    byte[] used = new byte[length];
    bytes.rewind();
    bytes.get(used);
    return Base64.getEncoder().encodeToString(used);
  }

  /**
   * @throws IllegalArgumentException if it is invalid
   */
  public static Histogram read(String text) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
      Histogram histogram = Histogram.decodeFromCompressedByteBuffer(bytes, 0);
      histogram.setAutoResize(true);
      return histogram;
    } catch (DataFormatException
        | IllegalStateException
        | ArrayIndexOutOfBoundsException
        | NegativeArraySizeException
        | BufferUnderflowException e) {
      throw new IllegalArgumentException("no histogram: " + e.getMessage(), e);
    }
  }
}
