package io.shardmark.driver.tpcc.statements;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.StatementProfile;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.sql.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;

/** Finds the statements for a profile and a database. */
public final class StatementProfiles {
  private StatementProfiles() {}

  /**
   * Prepares a profile's statements.
   *
   * @param connection a physical connection, auto-commit off, borrowed for as long as the result is
   *     used
   * @throws ConfigException if the database has no such profile
   */
  public static TpccTransactions open(
      StatementProfile profile, DatabaseKind database, Connection connection) throws SQLException {
    return switch (profile) {
      case BENCHMARKSQL ->
          new BenchmarkSqlTransactions(connection, Dialect.of(database).forUpdate());
      case BATCHED ->
          database == DatabaseKind.POSTGRES
              ? new PipelinedTransactions(connection)
              : new BenchmarkSqlTransactions(connection, Dialect.of(database).forUpdate());
      case PROCEDURES -> new PostgresProcedures(connection);
    };
  }
}
