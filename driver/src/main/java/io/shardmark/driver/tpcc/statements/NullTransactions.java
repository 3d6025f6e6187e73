package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.OrderStatus;
import io.shardmark.driver.tpcc.input.Payment;
import io.shardmark.driver.tpcc.input.StockLevel;
import io.shardmark.driver.tpcc.input.TpccTransactions;

/**
 * Answers every transaction at once ({@code conn=null:}): what is left of a run is the driver's own
 * cost. Without state; any thread.
 */
public final class NullTransactions implements TpccTransactions {
  @Override
  public Outcome newOrder(NewOrder input) {
    return input.rollback() ? Outcome.ROLLED_BACK : Outcome.COMMITTED;
  }

  @Override
  public Outcome payment(Payment input) {
    return Outcome.COMMITTED;
  }

  @Override
  public Outcome orderStatus(OrderStatus input) {
    return Outcome.COMMITTED;
  }

  @Override
  public Outcome stockLevel(StockLevel input) {
    return Outcome.COMMITTED;
  }

  @Override
  public Outcome deliver(Delivery.Background input) {
    return Outcome.COMMITTED;
  }
}
