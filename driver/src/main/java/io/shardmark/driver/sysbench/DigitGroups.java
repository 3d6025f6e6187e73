package io.shardmark.driver.sysbench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.SplittableRandom;

/**
 * sysbench's texts: groups of 11 random digits with dashes between them, 10 groups in {@code c} and
 * 5 in {@code pad}. Belongs to one thread.
 */
final class DigitGroups {
  static final int C_LENGTH = 119;
  static final int PAD_LENGTH = 59;

  private static final int GROUP = 11;
  private static final int FOUR_DIGITS = 10_000;
  private static final long LOW_32 = 0xFFFF_FFFFL;
  private static final byte[] DIGITS = digits();

  private final byte[] buffer = new byte[C_LENGTH];

  private static byte[] digits() {
    byte[] digits = new byte[4 * FOUR_DIGITS];
    for (int i = 0; i < FOUR_DIGITS; i++) {
      byte[] four = "%04d".formatted(i).getBytes(ISO_8859_1);
      System.arraycopy(four, 0, digits, 4 * i, 4);
    }
    return digits;
  }

  /**
   * Fills {@link #bytes} with a text.
   *
   * @param length {@link #C_LENGTH} or {@link #PAD_LENGTH}
   */
  void fill(SplittableRandom random, int length) {
    for (int at = 0; at < length; at += GROUP + 1) {
      // Fixed-point numbers: the integer part of a product is the next digits, its fraction the
      // rest of the draw.
      long draw = random.nextLong();
      long first = (draw >>> 32) * FOUR_DIGITS;
      long second = (first & LOW_32) * FOUR_DIGITS;
      long third = (draw & LOW_32) * FOUR_DIGITS;
      put(at, first);
      put(at + 4, second);
      System.arraycopy(DIGITS, 4 * (int) (third >>> 32) + 1, buffer, at + 8, 3);
      if (at + GROUP < length) {
        buffer[at + GROUP] = '-';
      }
    }
  }

  private void put(int at, long fixedPoint) {
    System.arraycopy(DIGITS, 4 * (int) (fixedPoint >>> 32), buffer, at, 4);
  }

  byte[] bytes() {
    return buffer;
  }

  String text(SplittableRandom random, int length) {
    fill(random, length);
    return new String(buffer, 0, length, ISO_8859_1);
  }
}
