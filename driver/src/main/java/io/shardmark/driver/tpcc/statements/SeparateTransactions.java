package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.OrderStatus;
import io.shardmark.driver.tpcc.input.Payment;
import io.shardmark.driver.tpcc.input.StockLevel;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import java.sql.SQLException;

/** A profile put together from five transactions that know nothing of each other. */
record SeparateTransactions(
    Body<NewOrder> newOrders,
    Body<Payment> payments,
    Body<OrderStatus> orderStatuses,
    Body<StockLevel> stockLevels,
    Body<Delivery.Background> deliveries)
    implements TpccTransactions {

  /** One transaction from its first statement to its commit or deliberate rollback. */
  @FunctionalInterface
  interface Body<T> {
    Outcome execute(T input) throws SQLException;
  }

  @Override
  public Outcome newOrder(NewOrder input) throws SQLException {
    return newOrders.execute(input);
  }

  @Override
  public Outcome payment(Payment input) throws SQLException {
    return payments.execute(input);
  }

  @Override
  public Outcome orderStatus(OrderStatus input) throws SQLException {
    return orderStatuses.execute(input);
  }

  @Override
  public Outcome stockLevel(StockLevel input) throws SQLException {
    return stockLevels.execute(input);
  }

  @Override
  public Outcome deliver(Delivery.Background input) throws SQLException {
    return deliveries.execute(input);
  }
}
