package io.shardmark.loader.tpcc;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Customer last names, TPC-C 4.3.2.3: three syllables, the most significant digit first. */
public final class LastName {
  private static final String[] SYLLABLES = {
    "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"
  };
  private static final String[] NAMES = new String[1000];
  private static final byte[][] BYTES = new byte[NAMES.length][];

  static {
    for (int number = 0; number < NAMES.length; number++) {
      NAMES[number] =
          SYLLABLES[number / 100] + SYLLABLES[number / 10 % 10] + SYLLABLES[number % 10];
      BYTES[number] = NAMES[number].getBytes(US_ASCII);
    }
  }

  private LastName() {}

  /**
   * The name of a number; always the same object, from any thread.
   *
   * @param number 0 .. 999
   * @throws ArrayIndexOutOfBoundsException for any other number
   */
  public static String of(int number) {
    return NAMES[number];
  }

  /** The name in ASCII, not to be changed. */
  static byte[] bytes(int number) {
    return BYTES[number];
  }
}
