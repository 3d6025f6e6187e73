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
import java.sql.Statement;

/**
 * The {@code batched} profile on PostgreSQL: set-based statements, several of them in one pipeline
 * up to a Sync (PG18 §54.2.4 protocol-flow-pipelining), so that a New-Order takes two round trips
 * and the others one. pgjdbc sends a text of several statements as such a pipeline of prepared
 * statements. Where the client need not look at an answer before it may commit, the COMMIT rides in
 * the pipeline: after an error the server skips everything up to the Sync, the COMMIT too.
 *
 * <p>Each statement names one warehouse, so that a sharded database can send it to one shard; an
 * order with remote lines and a payment by a remote customer therefore take more round trips.
 */
final class PipelinedTransactions implements TpccTransactions {
  private final PipelinedNewOrder newOrder;
  private final PipelinedPayment payment;
  private final PipelinedQueries queries;
  private final PipelinedDelivery delivery;

  PipelinedTransactions(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // With arrays as parameters the planner's guess for a custom plan looks better than the
      // generic one, so it would plan anew at
      // every execution; the generic plan is the same plan.
      statement.execute("SET plan_cache_mode = force_generic_plan");
    }
    connection.commit();
    newOrder = new PipelinedNewOrder(connection);
    payment = new PipelinedPayment(connection);
    queries = new PipelinedQueries(connection);
    delivery = new PipelinedDelivery(connection);
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
