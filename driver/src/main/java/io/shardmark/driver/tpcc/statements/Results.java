package io.shardmark.driver.tpcc.statements;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The answers of a pipeline, one after the other. */
final class Results {
  private Results() {}

  /** The answer of the first statement, which returns rows. */
  static ResultSet first(PreparedStatement statement) throws SQLException {
    return statement.getResultSet();
  }

  /** Moves to the answer of the next statement, which returns rows. */
  static ResultSet next(PreparedStatement statement) throws SQLException {
    if (!statement.getMoreResults()) {
      throw new SQLException("the pipeline's next answer has no rows");
    }
    return statement.getResultSet();
  }
}
