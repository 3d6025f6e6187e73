package io.shardmark.driver.tpcb;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.WrongDataException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * One call of the function of {@code functionCreates.sql} for each transaction. In auto-commit mode
 * the call is the transaction.
 */
final class FunctionCall implements TransactionExecutor {
  /** SQLSTATE no_data_found, which the function raises for a row that should exist. */
  private static final String MISSING_ROW = "P0002";

  private static final String FUNCTION = "shardmark_tpcb";

  private final Connection connection;
  private final PreparedStatement call;
  private final PreparedStatement select;

  FunctionCall(Connection connection) throws SQLException {
    this.connection = connection;
    call = connection.prepareStatement("SELECT " + FUNCTION + "(?, ?, ?, ?, ?, ?)");
    select = connection.prepareStatement(TpcbSql.SELECT_ACCOUNT);
  }

  /**
   * @throws ConfigException if the function is not in the search path
   */
  static void requireInstalled(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT 1 FROM pg_catalog.pg_proc WHERE proname = '"
                    + FUNCTION
                    + "' AND pg_catalog.pg_function_is_visible(oid)")) {
      if (!row.next()) {
        throw new ConfigException(
            "statements=function: the database has no function %s; this installs it: java -jar driver.jar sql PROPS functionCreates"
                .formatted(FUNCTION));
      }
    }
  }

  @Override
  public Outcome execute(Transaction transaction) throws SQLException {
    TpcbInput input = (TpcbInput) transaction;
    connection.setAutoCommit(true);
    if (input.script().isReadOnly()) {
      select.setInt(1, input.accountId());
      read(select, input);
    } else {
      call.setInt(1, input.accountId());
      call.setInt(2, input.tellerId());
      call.setInt(3, input.branchId());
      call.setInt(4, input.delta());
      call.setBoolean(5, input.script().updatesAll());
      call.setBoolean(6, input.script().insertsHistory());
      read(call, input);
    }
    return Outcome.COMMITTED;
  }

  private static void read(PreparedStatement statement, TpcbInput input) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      TpcbSql.readBalance(row, input.accountId());
    } catch (SQLException e) {
      if (MISSING_ROW.equals(e.getSQLState())) {
        throw new WrongDataException(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }
}
