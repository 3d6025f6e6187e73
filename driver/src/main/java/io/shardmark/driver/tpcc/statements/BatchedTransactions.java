package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.OrderStatus;
import io.shardmark.driver.tpcc.input.Payment;
import io.shardmark.driver.tpcc.input.StockLevel;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.driver.workload.Outcome;
import io.shardmark.sql.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The {@code batched} profile where a driver sends one statement at a time (MySQL, MariaDB, Oracle,
 * Firebird): plain JDBC, rows of one kind read by one SELECT and written by one statement or one
 * JDBC batch.
 */
final class BatchedTransactions implements TpccTransactions {
  private final BatchedNewOrder newOrder;
  private final BatchedPayment payment;
  private final BatchedQueries queries;
  private final BatchedDelivery delivery;

  BatchedTransactions(Connection connection, Dialect dialect) throws SQLException {
    newOrder = new BatchedNewOrder(connection, dialect.forUpdate());
    payment = new BatchedPayment(connection, dialect);
    queries = new BatchedQueries(connection);
    delivery = new BatchedDelivery(connection, dialect.forUpdate());
  }

  @Override
  public Outcome newOrder(NewOrder input) throws SQLException {
    return newOrder.execute(input);
  }

  @Override
  public Outcome payment(Payment input) throws SQLException {
    return payment.execute(input);
  }

  @Override
  public Outcome orderStatus(OrderStatus input) throws SQLException {
    return queries.orderStatus(input);
  }

  @Override
  public Outcome stockLevel(StockLevel input) throws SQLException {
    return queries.stockLevel(input);
  }

  @Override
  public Outcome deliver(Delivery.Background input) throws SQLException {
    return delivery.execute(input);
  }
}
