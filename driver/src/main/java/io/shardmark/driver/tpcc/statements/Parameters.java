package io.shardmark.driver.tpcc.statements;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Whole-numbered parameters, most of them keys. */
final class Parameters {
  private Parameters() {}

  /**
   * Sets parameters that follow each other.
   *
   * @return the parameter after the last
   */
  static int set(PreparedStatement statement, int first, int... values) throws SQLException {
    int parameter = first;
    for (int value : values) {
      statement.setInt(parameter++, value);
    }
    return parameter;
  }
}
