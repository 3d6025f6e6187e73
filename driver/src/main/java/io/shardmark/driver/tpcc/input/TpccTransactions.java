package io.shardmark.driver.tpcc.input;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import java.sql.SQLException;

/**
 * The transactions of TPC-C as a statement profile implements them, on one connection. Each runs to
 * the end of its commit or deliberate rollback.
 */
public interface TpccTransactions extends TransactionExecutor {
  /** TPC-C 2.4.2. */
  Outcome newOrder(NewOrder input) throws SQLException;

  /** TPC-C 2.5.2. */
  Outcome payment(Payment input) throws SQLException;

  /** TPC-C 2.6.2. */
  Outcome orderStatus(OrderStatus input) throws SQLException;

  /** TPC-C 2.8.2. */
  Outcome stockLevel(StockLevel input) throws SQLException;

  /** The deferred part of a Delivery, TPC-C 2.7.4. */
  Outcome deliver(Delivery.Background input) throws SQLException;

  @Override
  default Outcome execute(Transaction transaction) throws SQLException {
    return switch (TpccType.of(transaction.type())) {
      case NEW_ORDER -> newOrder((NewOrder) transaction);
      case PAYMENT -> payment((Payment) transaction);
      case ORDER_STATUS -> orderStatus((OrderStatus) transaction);
      case STOCK_LEVEL -> stockLevel((StockLevel) transaction);
      case DELIVERY -> ((Delivery) transaction).queue();
      case DELIVERY_BG -> deliver((Delivery.Background) transaction);
    };
  }
}
