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
  public boolean isDistributed() {
    return false;
  }

  @Override
  public void countInto(long[] counters) {
    counters[TpccAudit.TRANSACTIONS]++;
    counters[TpccAudit.DELIVERIES]++;
  }

  /** TPC-C 2.7.2: the terminal only queues; no statement is sent. */
  /** The terminal's part: it only queues the work. */
  Outcome queue() {
    return Outcome.queued(new Background(warehouseId, carrierId));
  }

  /**
   * The deferred part of a Delivery (2.7.2): delivers the oldest open order of each of the ten
   * districts.
   */
  public record Background(int warehouseId, int carrierId) implements TpccInput {

    @Override
    public TransactionType type() {
      return TpccType.DELIVERY_BG.type();
    }

    @Override
    public boolean isDistributed() {
      return false;
    }

    /** Counted with the Delivery that queued it. */
    @Override
    public void countInto(long[] counters) {}
  }
}
