package io.shardmark.sql.dialect;

import io.shardmark.config.DatabaseKind;
import java.sql.SQLException;

/** What differs between databases in TPC-C's SQL and in their errors. */
public enum Dialect {
  POSTGRES,
  ORACLE,
  MYSQL,
  FIREBIRD;

  /** SQLSTATE of PL/pgSQL's plain RAISE, which our functions use for an unused item only. */
  private static final String RAISE_EXCEPTION = "P0001";

  /** The error number that the Oracle package raises for an unused item. */
  private static final int ORACLE_INVALID_ITEM = 20001;

  /** The dialect a database speaks; MariaDB speaks MySQL's. */
  public static Dialect of(DatabaseKind database) {
    return switch (database) {
      case POSTGRES -> POSTGRES;
      case ORACLE -> ORACLE;
      case MYSQL, MARIADB -> MYSQL;
      case FIREBIRD -> FIREBIRD;
    };
  }

  /** The end of a SELECT that locks its rows, with a leading blank. */
  public String forUpdate() {
    return this == FIREBIRD ? " FOR UPDATE WITH LOCK" : " FOR UPDATE";
  }

  /** True if a stored New-Order met an unused item and must be rolled back, TPC-C 2.4.1.4. */
  public boolean isInvalidItem(SQLException error) {
    return switch (this) {
      case POSTGRES -> RAISE_EXCEPTION.equals(error.getSQLState());
      case ORACLE -> error.getErrorCode() == ORACLE_INVALID_ITEM;
      case MYSQL, FIREBIRD -> false;
    };
  }

  /**
   * What kind of failure this is. Looks at the exception, those chained to it (a batch carries its
   * real cause there) and their causes, and takes the first that says something.
   */
  public SqlErrorClass classify(SQLException error) {
    return SqlErrors.classify(this, error);
  }
}
