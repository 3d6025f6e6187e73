package io.shardmark.driver.bmt;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.SplittableRandom;

/**
 * What a row holds, which its id alone decides: texts as wide as their columns, each the id in ten
 * digits and then a part of one random text that differs from row to row.
 */
final class BmtRow {
  static final int WIDTH = 500;

  /** The columns of texts: c2 and c4 to c8. */
  static final int TEXTS = 6;

  private static final int ID_DIGITS = 10;
  private static final String POOL = pool(8192);

  private BmtRow() {}

  private static String pool(int length) {
    SplittableRandom random = new SplittableRandom(2015);
    StringBuilder pool = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      pool.append((char) ('a' + random.nextInt(26)));
    }
    return pool.toString();
  }

  /**
   * @param text which of the texts, from 0
   */
  static String text(int id, int text) {
    // Offsets of neighbouring rows and texts are far from each other.
    int from = (int) ((id * 6700417L + text * 1361L & Integer.MAX_VALUE) % (POOL.length() - WIDTH));
    String digits = Integer.toString(id);
    return "0".repeat(ID_DIGITS - digits.length())
        + digits
        + POOL.substring(from, from + WIDTH - ID_DIGITS);
  }

  static byte[] bytes(int id, int text) {
    return text(id, text).getBytes(US_ASCII);
  }
}
