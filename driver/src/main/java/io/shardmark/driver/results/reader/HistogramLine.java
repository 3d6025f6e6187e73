package io.shardmark.driver.results.reader;

import org.HdrHistogram.Histogram;

/**
 * A line of a histogram log: {@code Tag=PAYMENT,0.000,10.000,711.983,HIST...}.
 *
 * @param startSeconds when its time began, from the start of the measurement interval
 */
public record HistogramLine(String type, double startSeconds, Histogram histogram) {
  /** How such a line begins; others are comments and heads of columns. */
  public static final String TAG = "Tag=";

  /** An hour in nanoseconds to three digits takes 190 KB, far less compressed. */
  private static final int LONGEST = 1 << 20;

  /**
   * @throws IllegalArgumentException if it is invalid
   */
  public static HistogramLine of(String line) {
    String[] fields = line.split(",", -1);
    if (fields.length != 5 || line.length() > LONGEST || !line.startsWith(TAG)) {
      throw new IllegalArgumentException("no line of a histogram log");
    }
    return new HistogramLine(
        fields[0].substring(TAG.length()),
        Double.parseDouble(fields[1]),
        HistogramText.read(fields[4]));
  }
}
