package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.sql.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The {@code batched} profile where a driver sends one statement at a time (MySQL, MariaDB, Oracle,
 * Firebird): plain JDBC, rows of one kind read by one SELECT and written by one statement or one
 * JDBC batch.
 */
final class BatchedTransactions {
  private BatchedTransactions() {}

  static TpccTransactions open(Connection connection, Dialect dialect) throws SQLException {
    BatchedQueries queries = new BatchedQueries(connection);
    return new SeparateTransactions(
        new BatchedNewOrder(connection, dialect.forUpdate())::execute,
        new BatchedPayment(connection, dialect)::execute,
        queries::orderStatus,
        queries::stockLevel,
        new BatchedDelivery(connection, dialect.forUpdate())::execute);
  }
}
