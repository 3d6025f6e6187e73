package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.WrongDataException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The answers of a pipeline, one after the other. */
final class Results {
  /** SQLSTATE division_by_zero: what statements fail with where a row that must exist does not. */
  private static final String MISSING_ROW = "22012";

  private Results() {}

  /**
   * Sends a pipeline whose COMMIT must not be reached with rows missing.
   *
   * @param what the rows, with their key, for the message
   * @throws io.shardmark.driver.benchmark.WrongDataException if a row was missing; the transaction
   *     is aborted, not committed
   */
  static void execute(PreparedStatement statement, String what, int... key) throws SQLException {
    try {
      statement.execute();
    } catch (SQLException e) {
      if (MISSING_ROW.equals(e.getSQLState())) {
        throw Rows.missing(what, key);
      }
      throw e;
    }
  }

  /** The answer of the first statement, which returns rows. */
  static ResultSet first(PreparedStatement statement) throws SQLException {
    return rows(statement);
  }

  /** Moves to the answer of the next statement, which returns rows. */
  static ResultSet next(PreparedStatement statement) throws SQLException {
    if (!statement.getMoreResults()) {
      throw new WrongDataException("the pipeline's next answer has no rows");
    }
    return rows(statement);
  }

  private static ResultSet rows(PreparedStatement statement) throws SQLException {
    ResultSet rows = statement.getResultSet();
    if (rows == null) {
      throw new WrongDataException("the pipeline's answer has no rows");
    }
    return rows;
  }
}
