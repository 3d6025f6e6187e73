package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.OrderStatus;
import io.shardmark.driver.tpcc.input.Payment;
import io.shardmark.driver.tpcc.input.StockLevel;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.driver.workload.Outcome;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The {@code benchmarksql} profile: BenchmarkSQL's statements, in its order, each a round trip of
 * its own, so that figures can be laid beside BenchmarkSQL's. Plain JDBC that every supported
 * database understands.
 */
final class BenchmarkSqlTransactions implements TpccTransactions {
  private final SteppedNewOrder newOrder;
  private final SteppedPayment payment;
  private final SteppedQueries queries;
  private final SteppedDelivery delivery;

  /**
   * @param forUpdate the database's suffix of a locking SELECT, with its leading blank
   */
  BenchmarkSqlTransactions(Connection connection, String forUpdate) throws SQLException {
    CustomerByName byName = new CustomerByName(connection);
    newOrder = new SteppedNewOrder(connection, forUpdate);
    payment = new SteppedPayment(connection, forUpdate, byName);
    queries = new SteppedQueries(connection, byName);
    delivery = new SteppedDelivery(connection);
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
