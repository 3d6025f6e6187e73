package io.shardmark.sql.dialect;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/**
 * Error codes of the databases. A vendor code goes before SQLSTATE, because MySQL reports deadlocks
 * under SQLSTATE 40001.
 */
final class SqlErrors {
  /** Chains are as long as a batch; past this they say nothing new. */
  private static final int MAX_CHAIN_LENGTH = 50;

  private SqlErrors() {}

  static SqlErrorClass classify(Dialect dialect, SQLException error) {
    SQLException current = error;
    for (int i = 0; current != null && i < MAX_CHAIN_LENGTH; i++) {
      SqlErrorClass found = classifyOne(dialect, current);
      if (found != SqlErrorClass.OTHER) {
        return found;
      }
      current = next(current);
    }
    return SqlErrorClass.OTHER;
  }

  private static @Nullable SQLException next(SQLException error) {
    if (error.getNextException() != null) {
      return error.getNextException();
    }
    return error.getCause() instanceof SQLException cause ? cause : null;
  }

  private static SqlErrorClass classifyOne(Dialect dialect, SQLException error) {
    SqlErrorClass byCode =
        switch (dialect) {
          case POSTGRES -> SqlErrorClass.OTHER;
          case ORACLE -> oracle(error.getErrorCode());
          case MYSQL -> mysql(error.getErrorCode());
          case FIREBIRD -> firebird(error.getErrorCode());
        };
    if (byCode != SqlErrorClass.OTHER) {
      return byCode;
    }
    SqlErrorClass byState = sqlState(error.getSQLState() == null ? "" : error.getSQLState());
    return byState != SqlErrorClass.OTHER ? byState : type(error);
  }

  private static SqlErrorClass sqlState(String state) {
    return switch (state) {
      case "40001" -> SqlErrorClass.SERIALIZATION_FAILURE;
      case "40P01" -> SqlErrorClass.DEADLOCK;
      case "55P03" -> SqlErrorClass.LOCK_TIMEOUT;
      case "57014", "HY008", "70100" -> SqlErrorClass.STATEMENT_TIMEOUT;
      // admin shutdown, crash shutdown, cannot connect now, idle timeouts, database dropped
      case "57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "25P04" ->
          SqlErrorClass.CONNECTION_LOST;
      default -> {
        if (state.startsWith("08")) {
          yield SqlErrorClass.CONNECTION_LOST;
        }
        // 22 and 07006: a null, a number out of range, a text that is no number.
        if (state.startsWith("22") || state.equals("07006")) {
          yield SqlErrorClass.WRONG_DATA;
        }
        yield state.startsWith("23") ? SqlErrorClass.CONSTRAINT : SqlErrorClass.OTHER;
      }
    };
  }

  private static SqlErrorClass type(SQLException error) {
    if (error instanceof SQLTimeoutException) {
      return SqlErrorClass.STATEMENT_TIMEOUT;
    }
    boolean lost =
        error instanceof SQLRecoverableException
            || error instanceof SQLNonTransientConnectionException
            || error instanceof SQLTransientConnectionException
            || error.getCause() instanceof IOException;
    return lost ? SqlErrorClass.CONNECTION_LOST : SqlErrorClass.OTHER;
  }

  private static SqlErrorClass mysql(int code) {
    return switch (code) {
      case 1213 -> SqlErrorClass.DEADLOCK;
      case 1020 ->
          SqlErrorClass.SERIALIZATION_FAILURE; // MariaDB: record has changed since last read
      case 1205 -> SqlErrorClass.LOCK_TIMEOUT;
      case 3024, 1969, 1317 -> SqlErrorClass.STATEMENT_TIMEOUT;
      case 1053, 1927, 2006, 2013, 4031 -> SqlErrorClass.CONNECTION_LOST;
      default -> SqlErrorClass.OTHER;
    };
  }

  private static SqlErrorClass oracle(int code) {
    return switch (code) {
      case 60 -> SqlErrorClass.DEADLOCK;
      case 8177 -> SqlErrorClass.SERIALIZATION_FAILURE;
      case 54, 30006 -> SqlErrorClass.LOCK_TIMEOUT;
      case 1013 -> SqlErrorClass.STATEMENT_TIMEOUT;
      case 1, 1400, 2290, 2291, 2292 -> SqlErrorClass.CONSTRAINT;
      // session killed, not logged on, starting, down, shutting down, end of file, driver's own
      case 28, 1012, 1033, 1034, 1089, 1090, 1092, 3113, 3114, 3135, 17002, 17008, 17410 ->
          SqlErrorClass.CONNECTION_LOST;
      default ->
          code >= 12150 && code <= 12699 // the network layer's numbers
              ? SqlErrorClass.CONNECTION_LOST
              : SqlErrorClass.OTHER;
    };
  }

  private static SqlErrorClass firebird(int code) {
    return switch (code) {
      case 335544336 -> SqlErrorClass.DEADLOCK;
      case 335544451 -> SqlErrorClass.SERIALIZATION_FAILURE; // update conflict
      case 335544345, 335544510 -> SqlErrorClass.LOCK_TIMEOUT;
      case 335544794 -> SqlErrorClass.STATEMENT_TIMEOUT; // operation was cancelled
      case 335544721, 335544726, 335544727, 335544741, 335544856 -> SqlErrorClass.CONNECTION_LOST;
      default -> SqlErrorClass.OTHER;
    };
  }
}
