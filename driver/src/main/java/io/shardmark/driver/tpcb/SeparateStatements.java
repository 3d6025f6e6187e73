package io.shardmark.driver.tpcb;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * One statement after the other, as {@code pgbench -M prepared}. pgjdbc sends BEGIN together with
 * the first one, where pgbench waits for its answer: a transaction has one round trip less.
 */
final class SeparateStatements implements TransactionExecutor {
  private final Connection connection;
  private final PreparedStatement updateAccount;
  private final PreparedStatement selectAccount;
  private final PreparedStatement updateTeller;
  private final PreparedStatement updateBranch;
  private final PreparedStatement insertHistory;

  SeparateStatements(Connection connection) throws SQLException {
    this.connection = connection;
    updateAccount = connection.prepareStatement(TpcbSql.UPDATE_ACCOUNT);
    selectAccount = connection.prepareStatement(TpcbSql.SELECT_ACCOUNT);
    updateTeller = connection.prepareStatement(TpcbSql.UPDATE_TELLER);
    updateBranch = connection.prepareStatement(TpcbSql.UPDATE_BRANCH);
    insertHistory = connection.prepareStatement(TpcbSql.INSERT_HISTORY);
  }

  @Override
  public Outcome execute(Transaction transaction) throws SQLException {
    TpcbInput input = (TpcbInput) transaction;
    TpcbScript script = input.script();
    connection.setAutoCommit(script.isReadOnly());
    if (script.isReadOnly()) {
      select(input);
      return Outcome.COMMITTED;
    }
    add(updateAccount, input.delta(), "account", input.accountId());
    select(input);
    if (script.updatesAll()) {
      add(updateTeller, input.delta(), "teller", input.tellerId());
      add(updateBranch, input.delta(), "branch", input.branchId());
    }
    if (script.insertsHistory()) {
      insertHistory.setInt(1, input.tellerId());
      insertHistory.setInt(2, input.branchId());
      insertHistory.setInt(3, input.accountId());
      insertHistory.setInt(4, input.delta());
      TpcbSql.requireOne(insertHistory.executeUpdate(), "history of account", input.accountId());
    }
    connection.commit();
    return Outcome.COMMITTED;
  }

  private static void add(PreparedStatement update, int delta, String what, int id)
      throws SQLException {
    update.setInt(1, delta);
    update.setInt(2, id);
    TpcbSql.requireOne(update.executeUpdate(), what, id);
  }

  private void select(TpcbInput input) throws SQLException {
    selectAccount.setInt(1, input.accountId());
    try (ResultSet row = selectAccount.executeQuery()) {
      TpcbSql.readBalance(row, input.accountId());
    }
  }
}
