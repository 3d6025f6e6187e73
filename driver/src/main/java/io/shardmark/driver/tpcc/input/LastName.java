package io.shardmark.driver.tpcc.input;

/** Customer last names, TPC-C 4.3.2.3: three syllables, the most significant digit first. */
final class LastName {
  private static final String[] SYLLABLES = {
    "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"
  };
  private static final String[] NAMES = new String[1000];

  static {
    for (int number = 0; number < NAMES.length; number++) {
      NAMES[number] =
          SYLLABLES[number / 100] + SYLLABLES[number / 10 % 10] + SYLLABLES[number % 10];
    }
  }

  private LastName() {}

  /**
   * @param number 0 .. 999
   */
  static String of(int number) {
    return NAMES[number];
  }
}
