package io.shardmark.driver.tpcb;

import io.shardmark.driver.benchmark.WrongDataException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The statements of pgbench's transactions: their parameters, and what their answers must be. */
enum TpcbStatement {
  UPDATE_ACCOUNT(
      "UPDATE pgbench_accounts SET abalance = abalance + ? WHERE aid = ?",
      "account",
      Parameter.DELTA,
      Parameter.ACCOUNT),
  SELECT_ACCOUNT(
      "SELECT abalance FROM pgbench_accounts WHERE aid = ?", "account", Parameter.ACCOUNT),
  UPDATE_TELLER(
      "UPDATE pgbench_tellers SET tbalance = tbalance + ? WHERE tid = ?",
      "teller",
      Parameter.DELTA,
      Parameter.TELLER),
  UPDATE_BRANCH(
      "UPDATE pgbench_branches SET bbalance = bbalance + ? WHERE bid = ?",
      "branch",
      Parameter.DELTA,
      Parameter.BRANCH),
  INSERT_HISTORY(
      "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime)"
          + " VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP)",
      "history of account",
      Parameter.TELLER,
      Parameter.BRANCH,
      Parameter.ACCOUNT,
      Parameter.DELTA),
  /** The function of {@code functionCreates.sql}: a transaction that answers with the balance. */
  CALL_FUNCTION(
      "SELECT " + TpcbStatement.FUNCTION + "(?, ?, ?, ?, ?, ?)",
      "account",
      Parameter.ACCOUNT,
      Parameter.TELLER,
      Parameter.BRANCH,
      Parameter.DELTA,
      Parameter.UPDATES_ALL,
      Parameter.INSERTS_HISTORY);

  static final String FUNCTION = "shardmark_tpcb";

  /** SQLSTATE no_data_found, which the function raises for a row that should exist. */
  private static final String MISSING_ROW = "P0002";

  private enum Parameter {
    ACCOUNT,
    TELLER,
    BRANCH,
    DELTA,
    UPDATES_ALL,
    INSERTS_HISTORY;

    void bind(PreparedStatement statement, int at, TpcbScript.TpcbInput input) throws SQLException {
      switch (this) {
        case ACCOUNT -> statement.setInt(at, input.accountId());
        case TELLER -> statement.setInt(at, input.tellerId());
        case BRANCH -> statement.setInt(at, input.branchId());
        case DELTA -> statement.setInt(at, input.delta());
        case UPDATES_ALL -> statement.setBoolean(at, input.script().updatesAll());
        case INSERTS_HISTORY -> statement.setBoolean(at, input.script().insertsHistory());
      }
    }
  }

  private final String sql;
  private final String row;

  @SuppressWarnings("ImmutableEnumChecker") // never changed
  private final Parameter[] parameters;

  /**
   * @param row what it changes or reads, for messages
   */
  TpcbStatement(String sql, String row, Parameter... parameters) {
    this.sql = sql;
    this.row = row;
    this.parameters = parameters;
  }

  String sql() {
    return sql;
  }

  /**
   * Binds its parameters in a text that may have more of them.
   *
   * @param from place of its first one
   * @return the place after its last one
   */
  int bind(PreparedStatement statement, int from, TpcbScript.TpcbInput input) throws SQLException {
    int at = from;
    for (Parameter parameter : parameters) {
      parameter.bind(statement, at++, input);
    }
    return at;
  }

  /**
   * Checks the answer that is the statement's current one: a balance, or that one row was changed.
   */
  void check(PreparedStatement statement, TpcbScript.TpcbInput input) throws SQLException {
    switch (this) {
      case SELECT_ACCOUNT, CALL_FUNCTION -> readBalance(statement, input.accountId());
      case UPDATE_TELLER -> requireOne(statement, input.tellerId());
      case UPDATE_BRANCH -> requireOne(statement, input.branchId());
      case UPDATE_ACCOUNT, INSERT_HISTORY -> requireOne(statement, input.accountId());
    }
  }

  private void requireOne(PreparedStatement statement, int id) throws SQLException {
    int changed = statement.getUpdateCount();
    if (changed != 1) {
      throw new WrongDataException(
          "%s %d: %d rows changed instead of 1".formatted(row, id, changed));
    }
  }

  private static void readBalance(PreparedStatement statement, int accountId) throws SQLException {
    try (ResultSet balance = statement.getResultSet()) {
      if (balance == null) {
        throw new WrongDataException("the answer has no rows");
      }
      if (!balance.next()) {
        throw new WrongDataException("account " + accountId + " not found");
      }
      balance.getInt(1);
      if (balance.wasNull()) {
        throw new WrongDataException("abalance of account " + accountId + " is null");
      }
    }
  }

  /** True if the error says that a row is missing which should exist. */
  boolean isMissingRow(SQLException error) {
    return this == CALL_FUNCTION && MISSING_ROW.equals(error.getSQLState());
  }
}
