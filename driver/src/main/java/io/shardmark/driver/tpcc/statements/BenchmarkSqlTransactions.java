package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.TpccTransactions;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The {@code benchmarksql} profile: BenchmarkSQL's statements, in its order, each a round trip of
 * its own, so that figures can be laid beside BenchmarkSQL's. Plain JDBC that every supported
 * database understands.
 */
final class BenchmarkSqlTransactions {
  private BenchmarkSqlTransactions() {}

  /**
   * @param forUpdate the database's suffix of a locking SELECT, with its leading blank
   */
  static TpccTransactions open(Connection connection, String forUpdate) throws SQLException {
    CustomerByName byName = new CustomerByName(connection);
    SteppedQueries queries = new SteppedQueries(connection, byName);
    return new SeparateTransactions(
        new SteppedNewOrder(connection, forUpdate)::execute,
        new SteppedPayment(connection, forUpdate, byName)::execute,
        queries::orderStatus,
        queries::stockLevel,
        new SteppedDelivery(connection)::execute);
  }
}
