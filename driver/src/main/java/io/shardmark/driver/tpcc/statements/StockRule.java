package io.shardmark.driver.tpcc.statements;

/** How an order line changes the stock, TPC-C 2.4.2.2. */
final class StockRule {
  private StockRule() {}

  /**
   * @param quantity what is in stock
   * @param ordered 1 .. 10
   * @return what is in stock afterwards: 91 are added if fewer than 10 would be left
   */
  static int afterOrder(int quantity, int ordered) {
    return quantity >= ordered + 10 ? quantity - ordered : quantity - ordered + 91;
  }
}
