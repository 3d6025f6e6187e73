package io.shardmark.driver.terminal;

import io.shardmark.driver.measure.Disposition;
import io.shardmark.sql.dialect.Dialect;
import java.sql.SQLException;

/**
 * Counts a database's errors as its dialect classifies them.
 *
 * @param dialect of the database
 */
public record DialectErrors(Dialect dialect) implements ErrorClassifier {
  @Override
  public Disposition classify(SQLException error) {
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
