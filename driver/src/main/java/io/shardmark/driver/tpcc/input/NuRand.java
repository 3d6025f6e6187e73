package io.shardmark.driver.tpcc.input;

import io.shardmark.loader.tpcc.NonUniform;
import io.shardmark.loader.tpcc.PopulationUnit;
import java.util.SplittableRandom;

/**
 * The non-uniform random function of TPC-C 2.1.6 with its run-time constants C.
 *
 * @param cLast C of customer last names (A = 255)
 * @param cCustomer C of customer numbers (A = 1023)
 * @param cItem C of item numbers (A = 8191)
 */
public record NuRand(int cLast, int cCustomer, int cItem) {
  /**
   * Draws the constants of a run.
   *
   * @param cLastOfLoad the C of last names that the population was made with, 0 .. 255
   */
  public static NuRand drawForRun(SplittableRandom random, int cLastOfLoad) {
    int cLast;
    do {
      cLast = random.nextInt(NonUniform.LAST_NAME_A + 1);
    } while (!isAllowedDelta(Math.abs(cLast - cLastOfLoad)));
    return new NuRand(
        cLast, random.nextInt(NonUniform.CUSTOMER_A + 1), random.nextInt(NonUniform.ITEM_A + 1));
  }

  /**
   * TPC-C 2.1.6.1: the C of the run differs from that of the load by 65 to 119, but not by 96 or
   * 112.
   */
  static boolean isAllowedDelta(int delta) {
    return delta >= 65 && delta <= 119 && delta != 96 && delta != 112;
  }

  /** A last name's number, 0 .. 999. */
  int lastName(SplittableRandom random) {
    return draw(random, NonUniform.LAST_NAME_A, cLast, 0, 999);
  }

  /** A customer number, 1 .. 3000. */
  int customer(SplittableRandom random) {
    return draw(random, NonUniform.CUSTOMER_A, cCustomer, 1, PopulationUnit.CUSTOMERS);
  }

  /** An item number, 1 .. 100000. */
  int item(SplittableRandom random) {
    return draw(random, NonUniform.ITEM_A, cItem, 1, PopulationUnit.ITEMS);
  }

  private static int draw(SplittableRandom random, int a, int c, int low, int high) {
    int first = random.nextInt(a + 1);
    return NonUniform.combine(first, random.nextInt(low, high + 1), c, low, high);
  }
}
