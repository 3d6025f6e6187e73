package io.shardmark.loader;

import java.sql.SQLException;

/** What an SQLException means, across databases. */
final class Sql {
  private static final String CLASS_CONSTRAINT = "23";

  private Sql() {}

  /** True if a key was there already. */
  static boolean isDuplicateKey(SQLException e) {
    String state = e.getSQLState();
    return state != null && state.startsWith(CLASS_CONSTRAINT);
  }
}
