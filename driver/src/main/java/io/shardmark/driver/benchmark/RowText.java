package io.shardmark.driver.benchmark;

import java.util.SplittableRandom;

/**
 * Texts of rows, which a row's id alone decides: the id in ten digits, then a part of one random
 * text that differs from row to row and from column to column. Immutable.
 */
public final class RowText {
  private static final int ID_DIGITS = 10;

  private final String pool;

  /**
   * @param poolLength of the random text; longer than the widest column
   */
  public RowText(int poolLength) {
    SplittableRandom random = new SplittableRandom(2015);
    StringBuilder letters = new StringBuilder(poolLength);
    for (int i = 0; i < poolLength; i++) {
      letters.append((char) ('a' + random.nextInt(26)));
    }
    pool = letters.toString();
  }

  /** The id in ten digits. */
  public static String digits(int id) {
    String digits = Integer.toString(id);
    return "0".repeat(ID_DIGITS - digits.length()) + digits;
  }

  /**
   * @param column a number that the row's other texts do not have
   * @param width of the text, from 10
   */
  public String of(int id, int column, int width) {
    // Offsets of neighbouring rows and texts are far from each other.
    int room = pool.length() - width;
    int from = (int) ((id * 6700417L + column * 1361L & Integer.MAX_VALUE) % room);
    return digits(id) + pool.substring(from, from + width - ID_DIGITS);
  }
}
