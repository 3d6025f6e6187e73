package io.shardmark.loader.tpcc;

/**
 * NURand, the non-uniform random function of TPC-C 2.1.6, without the random numbers: {@code
 * NURand(A, x, y) = (((random(0, A) | random(x, y)) + C) % (y - x + 1)) + x}. Population and run
 * draw from their own generators and put the draws together here.
 */
public final class NonUniform {
  /** A, and the highest C, of customer last names. */
  public static final int LAST_NAME_A = 255;

  /** A, and the highest C, of customer numbers. */
  public static final int CUSTOMER_A = 1023;

  /** A, and the highest C, of item numbers. */
  public static final int ITEM_A = 8191;

  private NonUniform() {}

  /**
   * @param first drawn from 0 .. A
   * @param second drawn from low .. high
   * @param c the constant C, 0 .. A
   * @return low .. high
   */
  public static int combine(int first, int second, int c, int low, int high) {
    return ((first | second) + c) % (high - low + 1) + low;
  }
}
