package io.shardmark.sql.script;

import java.sql.SQLException;
import java.util.Set;

/** What a script does about a statement that would make what is there already. */
public enum Existing {
  /** It fails, and the script with it. */
  FAIL,
  /** It is passed over: the script goes on with work that was interrupted. */
  SKIP;

  /**
   * Duplicate table or index, column, object, and second primary key (PG16 appendix A,
   * errcodes-appendix). Not 42P16 alone: that is any wrong table definition, so its text decides.
   */
  private static final Set<String> POSTGRES = Set.of("42P07", "42701", "42710");

  private static final String POSTGRES_INVALID_TABLE = "42P16";

  /** Table exists, duplicate key name, multiple primary keys, duplicate foreign key name. */
  private static final Set<Integer> MYSQL = Set.of(1050, 1061, 1068, 1826);

  /** MariaDB's storage engine: "Can't create table ... (errno: 121 Duplicate key ...)". */
  private static final int MYSQL_CANNOT_CREATE = 1005;

  /**
   * ORA-00955 name in use, ORA-01408 columns indexed, ORA-02260 primary key, ORA-02275 reference.
   */
  private static final Set<Integer> ORACLE = Set.of(955, 1408, 2260, 2275);

  /** Firebird's "unsuccessful metadata update", for whatever reason: the text decides. */
  private static final int FIREBIRD_METADATA = 335544351;

  /** True if a statement that failed so need not have been run. */
  public boolean permits(SQLException e) {
    if (this == FAIL) {
      return false;
    }
    String state = String.valueOf(e.getSQLState());
    String message = String.valueOf(e.getMessage());
    int code = e.getErrorCode();
    return POSTGRES.contains(state)
        || (state.equals(POSTGRES_INVALID_TABLE) && message.contains("multiple primary keys"))
        || MYSQL.contains(code)
        || (code == MYSQL_CANNOT_CREATE && message.contains("errno: 121"))
        || ORACLE.contains(code)
        || (code == FIREBIRD_METADATA && message.contains("already exists"));
  }
}
