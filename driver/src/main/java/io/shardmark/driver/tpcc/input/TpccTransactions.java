package io.shardmark.driver.tpcc.input;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import java.sql.SQLException;

/**
 * The transactions of TPC-C as a statement profile implements them, on one connection.
 *
 * @param newOrder TPC-C 2.4.2
 * @param payment TPC-C 2.5.2
 * @param orderStatus TPC-C 2.6.2
 * @param stockLevel TPC-C 2.8.2
 * @param delivery the deferred part of a Delivery, TPC-C 2.7.4
 */
public record TpccTransactions(
    TransactionBody<NewOrder> newOrder,
    TransactionBody<Payment> payment,
    TransactionBody<OrderStatus> orderStatus,
    TransactionBody<StockLevel> stockLevel,
    TransactionBody<Delivery.Background> delivery)
    implements TransactionExecutor {
  /** One transaction from its first statement to its commit or deliberate rollback. */
  @FunctionalInterface
  public interface TransactionBody<T> {
    Outcome execute(T input) throws SQLException;
  }

  @Override
  public Outcome execute(Transaction transaction) throws SQLException {
    return switch (TpccType.of(transaction.type())) {
      case NEW_ORDER -> newOrder.execute((NewOrder) transaction);
      case PAYMENT -> payment.execute((Payment) transaction);
      case ORDER_STATUS -> orderStatus.execute((OrderStatus) transaction);
      case STOCK_LEVEL -> stockLevel.execute((StockLevel) transaction);
      case DELIVERY -> ((Delivery) transaction).queue();
      case DELIVERY_BG -> delivery.execute((Delivery.Background) transaction);
    };
  }
}
