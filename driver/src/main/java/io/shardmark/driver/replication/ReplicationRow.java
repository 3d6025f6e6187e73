package io.shardmark.driver.replication;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.SplittableRandom;

/** The texts of a row, which its id alone decides: as wide as their columns. */
final class ReplicationRow {
  /** Of c2, c7 and c8: an id. */
  static final int ID_DIGITS = 10;

  private static final String POOL = pool(4096);

  private ReplicationRow() {}

  private static String pool(int length) {
    SplittableRandom random = new SplittableRandom(2015);
    StringBuilder pool = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      pool.append((char) ('a' + random.nextInt(26)));
    }
    return pool.toString();
  }

  /** The id in ten digits: all of a narrow text. */
  static String digits(int id) {
    String digits = Integer.toString(id);
    return "0".repeat(ID_DIGITS - digits.length()) + digits;
  }

  /** The id in ten digits, then letters. */
  static String text(int id, int column, int width) {
    int room = POOL.length() - width;
    int from = (int) ((id * 6700417L + column * 1361L & Integer.MAX_VALUE) % room);
    return digits(id) + POOL.substring(from, from + width - ID_DIGITS);
  }

  static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
