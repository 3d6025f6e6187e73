package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.TpccTransactions;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The {@code batched} profile on PostgreSQL: set-based statements, several of them in one pipeline
 * up to a Sync (PG18 §54.2.4 protocol-flow-pipelining), so that a New-Order takes two round trips
 * and the others one. pgjdbc sends a text of several statements as such a pipeline of prepared
 * statements. A transaction of one round trip needs neither BEGIN nor COMMIT: in auto-commit mode
 * what stands before one Sync is one implicit transaction, of which an error skips the rest and
 * rolls back all. One of several round trips is explicit, its COMMIT in the last pipeline.
 *
 * <p>The connection's mode is set at the start of each transaction; pgjdbc keeps it to itself, it
 * costs no round trip.
 *
 * <p>Each statement names one warehouse, so that a sharded database can send it to one shard; an
 * order with remote lines and a payment by a remote customer therefore take more round trips.
 */
final class PipelinedTransactions {
  private PipelinedTransactions() {}

  /**
   * @param citus true if the rows are distributed by Citus: it cannot make a generic plan of what
   *     names no warehouse yet, and does not route a statement that reads what another part of it
   *     has written
   */
  static TpccTransactions open(Connection connection, boolean citus) throws SQLException {
    if (!citus) {
      GenericPlans.choose(connection);
    }
    OrderInsert insert =
        citus ? new OrderInsert.Values(connection) : new OrderInsert.Arrays(connection);
    PipelinedQueries queries = new PipelinedQueries(connection);
    return new SeparateTransactions(
        new PipelinedNewOrder(connection, insert)::execute,
        new PipelinedPayment(connection, citus)::execute,
        queries::orderStatus,
        queries::stockLevel,
        new PipelinedDelivery(connection)::execute);
  }
}
