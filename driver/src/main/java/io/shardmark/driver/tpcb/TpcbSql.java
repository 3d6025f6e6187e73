package io.shardmark.driver.tpcb;

import io.shardmark.driver.benchmark.WrongDataException;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The statements of pgbench's transactions, and what their answers must be. */
final class TpcbSql {
  static final String UPDATE_ACCOUNT =
      "UPDATE pgbench_accounts SET abalance = abalance + ? WHERE aid = ?";
  static final String SELECT_ACCOUNT = "SELECT abalance FROM pgbench_accounts WHERE aid = ?";
  static final String UPDATE_TELLER =
      "UPDATE pgbench_tellers SET tbalance = tbalance + ? WHERE tid = ?";
  static final String UPDATE_BRANCH =
      "UPDATE pgbench_branches SET bbalance = bbalance + ? WHERE bid = ?";
  static final String INSERT_HISTORY =
      "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime)"
          + " VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP)";

  private TpcbSql() {}

  static void requireOne(int changed, String what, int id) {
    if (changed != 1) {
      throw new WrongDataException(
          "%s %d: %d rows changed instead of 1".formatted(what, id, changed));
    }
  }

  /** Reads the balance in the one row that must be there. */
  static void readBalance(ResultSet row, int accountId) throws SQLException {
    if (!row.next()) {
      throw new WrongDataException("account " + accountId + " not found");
    }
    row.getInt(1);
    if (row.wasNull()) {
      throw new WrongDataException("abalance of account " + accountId + " is null");
    }
  }
}
