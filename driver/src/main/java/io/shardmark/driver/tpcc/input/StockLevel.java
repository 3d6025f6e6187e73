package io.shardmark.driver.tpcc.input;

import io.shardmark.driver.benchmark.TransactionType;

/**
 * Input of a Stock-Level, TPC-C 2.8.1.
 *
 * @param districtId the terminal's own district (2.8.1.1)
 * @param threshold 10 .. 20
 */
public record StockLevel(int warehouseId, int districtId, int threshold) implements TpccInput {

  @Override
  public TransactionType type() {
    return TpccType.STOCK_LEVEL.type();
  }

  @Override
  public void countInto(long[] counters) {
    counters[TpccAudit.TRANSACTIONS]++;
    counters[TpccAudit.STOCK_LEVELS]++;
  }
}
