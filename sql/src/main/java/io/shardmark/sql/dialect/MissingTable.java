package io.shardmark.sql.dialect;

import java.sql.SQLException;
import java.util.Set;

/** Detects that a statement named a table that is not there, whatever the database. Pure. */
public final class MissingTable {
  /** Undefined table: PostgreSQL; MySQL, MariaDB, Firebird and H2; two more of H2. */
  private static final Set<String> STATES = Set.of("42P01", "42S02", "42S03", "42S04");

  /** Oracle reports tables that are not there as ORA-00942, SQLSTATE 42000. */
  private static final int ORACLE_CODE = 942;

  private MissingTable() {}

  /** True if that is why the statement failed. */
  public static boolean isCauseOf(SQLException e) {
    String state = e.getSQLState();
    return e.getErrorCode() == ORACLE_CODE || (state != null && STATES.contains(state));
  }
}
