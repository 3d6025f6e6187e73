package io.shardmark.driver.benchmark;

import java.sql.SQLException;

/**
 * Runs transactions on one database connection, whose prepared statements it holds. Used by one
 * thread at a time. After an exception the caller rolls back, or drops the connection together with
 * its executor.
 */
@FunctionalInterface
public interface TransactionExecutor {
  /**
   * Runs one transaction from its first statement to the end of its commit or deliberate rollback.
   *
   * @throws SQLException as the JDBC driver raised it; the database transaction may still be open
   * @throws WrongDataException if the database answered without an error but with rows that cannot
   *     be right
   */
  Outcome execute(Transaction transaction) throws SQLException;
}
