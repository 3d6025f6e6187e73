package io.shardmark.driver.tpcc.input;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.TransactionType;

/**
 * Input of a Delivery, TPC-C 2.7.1: what the terminal queues.
 *
 * @param carrierId 1 .. 10
 */
public record Delivery(int warehouseId, int carrierId) implements TpccInput {

  @Override
  public TransactionType type() {
    return TpccType.DELIVERY.type();
  }

  @Override
  public void countInto(long[] counters) {
    counters[TpccAudit.TRANSACTIONS]++;
    counters[TpccAudit.DELIVERIES]++;
  }

  /** TPC-C 2.7.2: the terminal only queues; no statement is sent. */
  Outcome queue() {
    return Outcome.queued(new Background(warehouseId, carrierId));
  }

  /**
   * The deferred part of a Delivery (2.7.2): delivers the oldest open order of each of the ten
   * districts. The audit counts it with the Delivery that queued it.
   */
  public record Background(int warehouseId, int carrierId) implements TpccInput {

    @Override
    public TransactionType type() {
      return TpccType.DELIVERY_BG.type();
    }
  }
}
