package io.shardmark.driver.tpcb;

import io.shardmark.driver.benchmark.TransactionExecutor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** How a transaction talks to the database. */
enum TpcbForm {
  SEPARATE,
  PIPELINED,
  FUNCTION;

  static TpcbForm parse(String name) {
    for (TpcbForm form : values()) {
      if (form.keyValue().equals(name)) {
        return form;
      }
    }
    throw new IllegalArgumentException("separate, pipelined or function");
  }

  String keyValue() {
    return name().toLowerCase(Locale.ROOT);
  }

  TransactionExecutor open(Connection connection) throws SQLException {
    return switch (this) {
      case SEPARATE -> new SeparateStatements(connection);
      case PIPELINED -> new PipelinedStatements(connection);
      case FUNCTION -> new FunctionCall(connection);
    };
  }
}
