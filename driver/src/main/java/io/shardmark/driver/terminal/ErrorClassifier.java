package io.shardmark.driver.terminal;

import io.shardmark.driver.measure.Disposition;
import java.sql.SQLException;

/**
 * Says what an error of the database means. Knows the dialect's SQLSTATEs and vendor codes. Safe
 * for use by many threads.
 */
@FunctionalInterface
public interface ErrorClassifier {
  /** An error class, never a success. */
  Disposition classify(SQLException error);
}
