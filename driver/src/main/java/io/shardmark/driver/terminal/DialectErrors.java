package io.shardmark.driver.terminal;

import io.shardmark.driver.measure.Disposition;
import io.shardmark.sql.dialect.Dialect;
import java.sql.SQLException;

/**
 * Says what an error of the database means, as its dialect classifies it. Safe on any thread.
 *
 * @param dialect of the database
 */
public record DialectErrors(Dialect dialect) {
  /** An error class, never a success. */
  Disposition classify(SQLException error) {
    return switch (dialect.classify(error)) {
      case SERIALIZATION_FAILURE -> Disposition.SERIALIZATION_FAILURE;
      case DEADLOCK -> Disposition.DEADLOCK;
      case LOCK_TIMEOUT -> Disposition.LOCK_TIMEOUT;
      case STATEMENT_TIMEOUT -> Disposition.STATEMENT_TIMEOUT;
      case CONNECTION_LOST -> Disposition.CONNECTION_LOST;
      case CONSTRAINT -> Disposition.CONSTRAINT_VIOLATION;
      case WRONG_DATA -> Disposition.WRONG_DATA;
      case OTHER -> Disposition.OTHER_ERROR;
    };
  }
}
