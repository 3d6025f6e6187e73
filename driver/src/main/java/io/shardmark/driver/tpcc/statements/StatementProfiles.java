package io.shardmark.driver.tpcc.statements;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.sql.dialect.Dialect;
import io.shardmark.sql.shards.Sharding;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Finds the statements for a profile and a database. */
public final class StatementProfiles {
  private StatementProfiles() {}

  /**
   * Prepares a profile's statements.
   *
   * @param sharding what spreads the rows over several servers
   * @param connection a physical connection, auto-commit off, borrowed for as long as the result is
   *     used
   * @throws ConfigException if there is no such profile for this kind of database
   */
  public static TpccTransactions open(
      StatementProfile profile,
      DatabaseKind database,
      Optional<Sharding> sharding,
      Connection connection)
      throws SQLException {
    boolean citus = sharding.filter(by -> by == Sharding.CITUS).isPresent();
    Dialect dialect = Dialect.of(database);
    return switch (profile) {
      case BENCHMARKSQL -> BenchmarkSqlTransactions.open(connection, dialect.forUpdate());
      case BATCHED ->
          dialect == Dialect.POSTGRES
              ? PipelinedTransactions.open(connection, citus)
              : BatchedTransactions.open(connection, dialect);
      case PROCEDURES -> openProcedures(database, dialect, citus, connection);
    };
  }

  private static TpccTransactions openProcedures(
      DatabaseKind database, Dialect dialect, boolean citus, Connection connection)
      throws SQLException {
    return switch (dialect) {
      case POSTGRES -> new PostgresProcedures(connection, citus);
      case ORACLE -> new OracleProcedures(connection);
      case MYSQL, FIREBIRD -> throw noProcedures(database);
    };
  }

  private static ConfigException noProcedures(DatabaseKind database) {
    return new ConfigException(
        "statementProfile=procedures: there are no stored procedures for db=%s, expected benchmarksql or batched"
            .formatted(database.propertyName()));
  }

  /**
   * Checks, before a run, that the database has what a profile calls. What goes missing later is an
   * error of the transactions that miss it.
   *
   * @throws ConfigException if it has not
   */
  public static void check(StatementProfile profile, DatabaseKind database, Connection connection)
      throws SQLException {
    if (profile != StatementProfile.PROCEDURES) {
      return;
    }
    switch (Dialect.of(database)) {
      case POSTGRES -> InstalledProcedures.requirePostgres(connection);
      case ORACLE -> InstalledProcedures.requireOracle(connection);
      case MYSQL, FIREBIRD -> throw noProcedures(database);
    }
  }
}
