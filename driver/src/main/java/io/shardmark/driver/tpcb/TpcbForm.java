package io.shardmark.driver.tpcb;

import io.shardmark.driver.benchmark.TransactionExecutor;
import java.sql.Connection;
import java.sql.SQLException;

/** How a transaction talks to the database. */
enum TpcbForm {
  SEPARATE,
  PIPELINED,
  FUNCTION;

  TransactionExecutor open(Connection connection) throws SQLException {
    return switch (this) {
      case SEPARATE -> new SeparateStatements(connection);
      case PIPELINED -> new PipelinedStatements(connection);
      case FUNCTION -> new FunctionCall(connection);
    };
  }
}
