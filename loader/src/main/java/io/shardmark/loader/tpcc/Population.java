package io.shardmark.loader.tpcc;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * What decides every row: equal populations have equal rows, whatever process loads them in
 * whatever order. Immutable.
 *
 * @param seed of all random streams
 * @param warehouses the scale, 1 .. {@link #MOST_WAREHOUSES}
 * @param loadTime the "current time" of c_since, h_date, o_entry_d and ol_delivery_d, to the
 *     millisecond, on the wall clock of the loading machine
 */
public record Population(long seed, int warehouses, LocalDateTime loadTime) {
  /**
   * The last warehouse whose history ids fit {@code hist_id integer}: each has 30,000 of them, and
   * 71,583 * 30,000 is above 2^31 - 1.
   */
  public static final int MOST_WAREHOUSES =
      Integer.MAX_VALUE / (PopulationUnit.DISTRICTS * PopulationUnit.CUSTOMERS);

  public Population {
    if (warehouses < 1 || warehouses > MOST_WAREHOUSES) {
      throw new IllegalArgumentException("warehouses: " + warehouses);
    }
    loadTime = loadTime.truncatedTo(ChronoUnit.MILLIS);
  }

  /** TPC-C 2.1.6.1: the constant C of NURand for C_LAST while loading, 0 .. 255. */
  public int nonUniformCLast() {
    return constant(0, NonUniform.LAST_NAME_A);
  }

  /** The constant C of NURand for C_ID, 0 .. 1023; recorded for the driver, not used by a load. */
  public int nonUniformCCustomerId() {
    return constant(1, NonUniform.CUSTOMER_A);
  }

  /** The constant C of NURand for OL_I_ID, 0 .. 8191; recorded for the driver. */
  public int nonUniformCItemId() {
    return constant(2, NonUniform.ITEM_A);
  }

  long loadTimeMicros() {
    return ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), loadTime);
  }

  private int constant(int which, int highest) {
    BlockRandom random = new BlockRandom();
    random.reset(seed, RowGenerator.STREAM_CONSTANTS, 0, which);
    return random.uniform(0, highest);
  }
}
