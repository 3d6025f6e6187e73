package io.shardmark.driver.sysbench;

import io.shardmark.config.PropertyReader;

/** sysbench's OLTP tests: which parts of the whole transaction each has. */
enum SysbenchTest {
  OLTP_READ_WRITE(true, true, true),
  OLTP_READ_ONLY(true, true, false),
  OLTP_WRITE_ONLY(true, false, true),
  OLTP_POINT_SELECT(false, true, false),
  OLTP_UPDATE_INDEX(false, false, true),
  OLTP_UPDATE_NON_INDEX(false, false, true);

  private final boolean isTransaction;
  private final boolean reads;
  private final boolean writes;

  SysbenchTest(boolean isTransaction, boolean reads, boolean writes) {
    this.isTransaction = isTransaction;
    this.reads = reads;
    this.writes = writes;
  }

  /** How often a transaction of this test does what, by the keys. */
  Operations operations(PropertyReader values) {
    boolean ranges = isTransaction && reads && values.flag(SysbenchKey.RANGE_SELECTS);
    boolean inTransaction = isTransaction && !values.flag(SysbenchKey.SKIP_TRX);
    return new Operations(
        inTransaction,
        values.integer(SysbenchKey.RANGE_SIZE),
        pointSelects(values),
        ranges ? values.integer(SysbenchKey.SIMPLE_RANGES) : 0,
        ranges ? values.integer(SysbenchKey.SUM_RANGES) : 0,
        ranges ? values.integer(SysbenchKey.ORDER_RANGES) : 0,
        ranges ? values.integer(SysbenchKey.DISTINCT_RANGES) : 0,
        writes && this != OLTP_UPDATE_NON_INDEX ? values.integer(SysbenchKey.INDEX_UPDATES) : 0,
        writes && this != OLTP_UPDATE_INDEX ? values.integer(SysbenchKey.NON_INDEX_UPDATES) : 0,
        writes && isTransaction ? values.integer(SysbenchKey.DELETE_INSERTS) : 0);
  }

  /** The point select test has one, whatever the key says. */
  private int pointSelects(PropertyReader values) {
    if (!reads) {
      return 0;
    }
    return isTransaction ? values.integer(SysbenchKey.POINT_SELECTS) : 1;
  }

  /**
   * What one transaction does, in this order.
   *
   * @param inTransaction false if each statement is a transaction of its own
   * @param rangeSize rows of each range
   */
  record Operations(
      boolean inTransaction,
      int rangeSize,
      int pointSelects,
      int simpleRanges,
      int sumRanges,
      int orderRanges,
      int distinctRanges,
      int indexUpdates,
      int nonIndexUpdates,
      int deleteInserts) {

    /** Ids that it draws: one for each statement, two for a delete and insert. */
    int draws() {
      return statements();
    }

    /** Those of them that are for writes: the last ones. */
    int writeDraws() {
      return indexUpdates + nonIndexUpdates + 2 * deleteInserts;
    }

    private int statements() {
      return pointSelects + simpleRanges + sumRanges + orderRanges + distinctRanges + writeDraws();
    }

    /** What sysbench counts as queries: BEGIN and COMMIT are two of them. */
    int queries() {
      return statements() + (inTransaction ? 2 : 0);
    }
  }
}
