package io.shardmark.driver.tpcc.statements;

/** How order lines change the stock, TPC-C 2.4.2.2. */
final class StockRule {
  private static final int RESTOCK = 91;
  private static final int MAX_QUANTITY = 100;

  private StockRule() {}

  /**
   * @param quantity what is in stock
   * @param ordered 1 .. 10
   * @return what is in stock afterwards: 91 are added if fewer than 10 would be left
   */
  static int afterOrder(int quantity, int ordered) {
    return quantity >= ordered + 10 ? quantity - ordered : quantity - ordered + RESTOCK;
  }

  /**
   * Applies the rule for several lines that order the same item: the same number as line after
   * line, as 10 .. 100 are 91 numbers and each step keeps the remainder.
   *
   * @param quantity what is in stock, 10 .. 100
   * @param ordered sum of the lines
   */
  static int afterOrders(int quantity, int ordered) {
    int left = quantity - ordered;
    return left + RESTOCK * ((MAX_QUANTITY - left) / RESTOCK);
  }
}
