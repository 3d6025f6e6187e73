package io.shardmark.driver.tpcc.statements;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.sql.dialect.Dialect;
import io.shardmark.sql.jdbc.Pooler;
import io.shardmark.sql.shards.Sharding;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
    Dialect dialect = Dialect.of(database);
    return switch (profile) {
      case BENCHMARKSQL -> benchmarkSql(connection, dialect.forUpdate());
      case BATCHED ->
          dialect == Dialect.POSTGRES
              ? pipelined(connection, sharding)
              : batched(connection, dialect);
      case PROCEDURES -> procedures(database, dialect, sharding, connection);
    };
  }

  /**
   * BenchmarkSQL's statements, in its order, one round trip each, so that figures can be compared
   * with BenchmarkSQL's. Plain JDBC that every supported database understands.
   *
   * @param forUpdate the database's suffix of a locking SELECT, with its leading blank
   */
  private static TpccTransactions benchmarkSql(Connection connection, String forUpdate)
      throws SQLException {
    CustomerByName byName = new CustomerByName(connection);
    return new TpccTransactions(
        new SteppedNewOrder(connection, forUpdate)::execute,
        new SteppedPayment(connection, forUpdate, byName)::execute,
        new SteppedOrderStatus(connection, byName)::execute,
        new StockLevelQuery(connection)::execute,
        new SteppedDelivery(connection)::execute);
  }

  /**
   * The {@code batched} profile where a driver sends one statement at a time (MySQL, MariaDB,
   * Oracle, Firebird): plain JDBC, rows of one kind read by one SELECT and written by one statement
   * or one JDBC batch.
   */
  private static TpccTransactions batched(Connection connection, Dialect dialect)
      throws SQLException {
    return new TpccTransactions(
        new BatchedNewOrder(connection, dialect.forUpdate())::execute,
        new BatchedPayment(connection, dialect)::execute,
        new BatchedOrderStatus(connection)::execute,
        new StockLevelQuery(connection)::execute,
        new BatchedDelivery(connection, dialect.forUpdate())::execute);
  }

  /**
   * The {@code batched} profile on PostgreSQL: set-based statements, several of them in one
   * pipeline up to a Sync (PG18 §54.2.4 protocol-flow-pipelining), so that a New-Order takes two
   * round trips and the others one. pgjdbc sends a text of several statements as such a pipeline of
   * prepared statements. A transaction of one round trip needs neither BEGIN nor COMMIT: in
   * auto-commit mode what is before one Sync is one implicit transaction, of which an error skips
   * the rest and rolls back all. One of several round trips is explicit, its COMMIT in the last
   * pipeline.
   *
   * <p>The connection's mode is set at the start of each transaction; pgjdbc keeps it to itself, it
   * costs no round trip.
   *
   * <p>Each statement names one warehouse, so that a sharded database can send it to one shard; an
   * order with remote lines and a payment by a remote customer therefore take more round trips.
   *
   * @param sharding by Citus: it cannot make a generic plan of what names no warehouse yet, and
   *     does not route a statement that reads what another part of it has written
   */
  private static TpccTransactions pipelined(Connection connection, Optional<Sharding> sharding)
      throws SQLException {
    boolean citus = isCitus(sharding);
    planOnce(connection, sharding);
    OneTripTransactions others = new OneTripTransactions(connection);
    return new TpccTransactions(
        new PipelinedNewOrder(connection, new OrderInsert(connection, citus))::execute,
        new PipelinedPayment(connection, citus)::execute,
        others::orderStatus,
        others::stockLevel,
        others::deliver);
  }

  /**
   * Lets PostgreSQL plan each statement once, for the rest of the session. With arrays and ranges
   * as parameters the planner's guess for a custom plan looks better than the generic one, so it
   * would plan anew at every execution; the generic plan is the same plan. Citus cannot route by
   * it, and a pooler would leave the setting to others.
   *
   * @param connection no transaction is open on it, before and after
   */
  private static void planOnce(Connection connection, Optional<Sharding> sharding)
      throws SQLException {
    if (!isCitus(sharding) && (sharding.isPresent() || !Pooler.isBetween(connection))) {
      planOnce(connection);
    }
    connection.commit();
  }

  private static boolean isCitus(Optional<Sharding> sharding) {
    return sharding.filter(by -> by == Sharding.CITUS).isPresent();
  }

  static void planOnce(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = force_generic_plan");
    }
  }

  /**
   * @param sharding by Citus: it is to send each call to the worker of its warehouse
   */
  private static TpccTransactions procedures(
      DatabaseKind database, Dialect dialect, Optional<Sharding> sharding, Connection connection)
      throws SQLException {
    return switch (dialect) {
      case POSTGRES -> {
        if (isCitus(sharding)) {
          InstalledProcedures.requireDistributed(connection);
        }
        planOnce(connection, sharding);
        yield Procedures.ofPostgres(connection).transactions();
      }
      case ORACLE -> Procedures.ofOracle(connection).transactions();
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
