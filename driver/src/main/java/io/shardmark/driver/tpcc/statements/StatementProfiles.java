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
   * @throws ConfigException if the database has no such profile, or its procedures are not
   *     installed
   */
  public static TpccTransactions open(
      StatementProfile profile, DatabaseKind database, Connection connection) throws SQLException {
    Dialect dialect = Dialect.of(database);
    return switch (profile) {
      case BENCHMARKSQL -> BenchmarkSqlTransactions.open(connection, dialect.forUpdate());
      case BATCHED ->
          dialect == Dialect.POSTGRES
              ? PipelinedTransactions.open(connection)
              : BatchedTransactions.open(connection, dialect);
      case PROCEDURES -> openProcedures(database, dialect, connection);
    };
  }

  private static TpccTransactions openProcedures(
      DatabaseKind database, Dialect dialect, Connection connection) throws SQLException {
    return switch (dialect) {
      case POSTGRES -> {
        InstalledProcedures.requirePostgres(connection);
        yield new PostgresProcedures(connection);
      }
      case ORACLE -> {
        InstalledProcedures.requireOracle(connection);
        yield new OracleProcedures(connection);
      }
      case MYSQL, FIREBIRD ->
          throw new ConfigException(
              "statementProfile=procedures: there are no stored procedures for db=%s, expected benchmarksql or batched"
                  .formatted(database.propertyName()));
    };
  }
}
