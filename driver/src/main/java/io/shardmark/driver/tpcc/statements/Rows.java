package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.WrongDataException;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;

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

  /** Checks that each statement of a batch touched a row, where the driver tells. */
  static void requireAll(int[] counts, String what) {
    for (int count : counts) {
      if (count == 0) {
        throw new WrongDataException(what + " changed no row");
      }
    }
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
