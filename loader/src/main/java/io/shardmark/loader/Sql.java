package io.shardmark.loader;

import java.sql.SQLException;
import java.util.Set;

/** What an SQLException means, across databases. */
final class Sql {
  /** Undefined table: PostgreSQL; MySQL, MariaDB, Firebird and H2; two more of H2. */
  private static final Set<String> NO_SUCH_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");

  private static final String CLASS_CONSTRAINT = "23";

  /** Oracle reports tables that are not there as ORA-00942, SQLSTATE 42000. */
  private static final int ORACLE_NO_SUCH_TABLE = 942;

  private Sql() {}

  /** True if the statement named a table that is not there. */
  static boolean isMissingTable(SQLException e) {
    String state = e.getSQLState();
    return e.getErrorCode() == ORACLE_NO_SUCH_TABLE
        || (state != null && NO_SUCH_TABLE.contains(state));
  }

  /** True if a key was there already. */
  static boolean isDuplicateKey(SQLException e) {
    String state = e.getSQLState();
    return state != null && state.startsWith(CLASS_CONSTRAINT);
  }
}
