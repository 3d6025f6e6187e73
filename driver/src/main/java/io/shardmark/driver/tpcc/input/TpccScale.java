package io.shardmark.driver.tpcc.input;

/** Cardinalities of TPC-C 1.2.1 and 4.3.3 that inputs are drawn from. */
final class TpccScale {
  static final int DISTRICTS_PER_WAREHOUSE = 10;
  static final int CUSTOMERS_PER_DISTRICT = 3000;
  static final int ITEMS = 100_000;
  static final int MIN_ORDER_LINES = 5;
  static final int MAX_ORDER_LINES = 15;

  private TpccScale() {}
}
