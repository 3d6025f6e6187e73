package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.WrongDataException;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;

/** What TPC-C's rules promise about the rows of an answer, checked. */
final class Rows {
  private Rows() {}

  /** Moves to the one row that must exist. */
  static void requireNext(ResultSet rows, String what, int... key) throws SQLException {
    if (!rows.next()) {
      throw missing(what, key);
    }
  }

  /**
   * The number in a column that may not be null.
   *
   * @param what the column, with the key of its row, for the message
   */
  static int requireInt(ResultSet row, int column, String what, int... key) throws SQLException {
    int value = row.getInt(column);
    if (row.wasNull()) {
      throw isNull(what, key);
    }
    return value;
  }

  /** The text in a column that may not be null. */
  static String requireString(ResultSet row, int column, String what, int... key)
      throws SQLException {
    String value = row.getString(column);
    if (value == null) {
      throw isNull(what, key);
    }
    return value;
  }

  /** The decimal in a column that may not be null. */
  static BigDecimal requireDecimal(ResultSet row, int column, String what, int... key)
      throws SQLException {
    BigDecimal value = row.getBigDecimal(column);
    if (value == null) {
      throw isNull(what, key);
    }
    return value;
  }

  private static WrongDataException isNull(String what, int... key) {
    return new WrongDataException(what + " " + keyText(key) + " is null");
  }

  /** Checks how many rows an UPDATE, INSERT or DELETE touched. */
  static void requireCount(int expected, int actual, String what, int... key) {
    if (actual != expected) {
      throw new WrongDataException(
          "%s %s: %d rows changed instead of %d".formatted(what, keyText(key), actual, expected));
    }
  }

  /**
   * Another delivery took the order that this one's snapshot goes on showing (REPEATABLE READ of
   * MySQL, which does not report the conflict itself): only a new transaction will see the next
   * one.
   */
  static SQLTransactionRollbackException takenMeanwhile(
      int warehouseId, int districtId, int orderId) {
    return new SQLTransactionRollbackException(
        "order %d/%d/%d was delivered by another transaction after this one's snapshot"
            .formatted(warehouseId, districtId, orderId),
        "40001");
  }

  static WrongDataException missing(String what, int... key) {
    return new WrongDataException(what + " " + keyText(key) + " not found");
  }

  private static String keyText(int... key) {
    StringBuilder text = new StringBuilder();
    for (int part : key) {
      text.append(text.isEmpty() ? "" : "/").append(part);
    }
    return text.toString();
  }
}
