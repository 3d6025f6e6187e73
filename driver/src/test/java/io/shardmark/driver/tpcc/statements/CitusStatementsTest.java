package io.shardmark.driver.tpcc.statements;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptRunner;
import io.shardmark.sql.script.ScriptStep;
import io.shardmark.sql.shards.Sharding;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The forms for Citus on a plain PostgreSQL, where functions that do nothing stand in for those of
 * Citus: what the scripts and statements do to the rows. Whether Citus can plan them, only Citus
 * tells.
 */
final class CitusStatementsTest {
  private static final List<String> STAND_INS =
      List.of(
          "create table pg_dist_partition (logicalrelid regclass, partmethod \"char\")",
          "create table pg_dist_object (classid oid, objid oid, distribution_argument_index"
              + " integer)",
          "create function create_distributed_table(text, text, colocate_with text default '')"
              + " returns void language sql as 'insert into pg_dist_partition values ($1::regclass,"
              + " ''h'')'",
          "create function create_reference_table(text) returns void language sql as ''",
          "create function create_distributed_function(regprocedure, text, colocate_with text)"
              + " returns void language sql as 'insert into pg_dist_object values"
              + " (''pg_proc''::regclass, $1, 0)'");

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static String database;

  @BeforeAll
  static void create() throws SQLException {
    database = SharedPostgres.newDatabase();
    try (Connection connection = open()) {
      connection.setAutoCommit(true);
      for (String standIn : STAND_INS) {
        connection.createStatement().execute(standIn);
      }
      run(connection, ScriptStep.beforeLoad());
      SmallTpcc.reset(connection);
      run(connection, ScriptStep.afterLoad());
    }
  }

  private static void run(Connection connection, List<ScriptStep> steps) throws SQLException {
    ScriptLocator locator =
        ScriptLocator.forShards(
            Path.of("no such directory"),
            DatabaseKind.POSTGRES,
            ScriptStep.scripts(),
            Sharding.CITUS.scriptFolder());
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    for (ScriptStep step : steps) {
      new ScriptRunner(connection, nowhere).run(locator.locate(step));
    }
  }

  private static Connection open() throws SQLException {
    Connection connection = SharedPostgres.connect(database);
    connection.setAutoCommit(false);
    return connection;
  }

  private static TpccTransactions forCitus(StatementProfile profile, Connection connection)
      throws SQLException {
    return StatementProfiles.open(
        profile, DatabaseKind.POSTGRES, Optional.of(Sharding.CITUS), connection);
  }

  private abstract static class ForCitus extends StatementContract {
    @Override
    Connection connect() throws SQLException {
      return CitusStatementsTest.open();
    }

    @Override
    DatabaseKind kind() {
      return DatabaseKind.POSTGRES;
    }

    @Override
    TpccTransactions prepare(Connection own) throws SQLException {
      return forCitus(profile(), own);
    }
  }

  @Nested
  final class Batched extends ForCitus implements WrongDataContract {
    @Override
    StatementProfile profile() {
      return StatementProfile.BATCHED;
    }
  }

  @Nested
  final class Procedures extends ForCitus implements WrongDataContract {
    @Override
    StatementProfile profile() {
      return StatementProfile.PROCEDURES;
    }
  }

  @Test
  void proceduresThatAreNotDistributedAreRefused() throws SQLException {
    try (Connection connection = open();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "UPDATE pg_dist_object SET distribution_argument_index = NULL"
              + " WHERE objid = 'bmsql_proc_payment'::regproc");
      assertThatThrownBy(() -> forCitus(StatementProfile.PROCEDURES, connection))
          .isInstanceOf(ConfigException.class)
          .hasMessage(
              "statementProfile=procedures: Citus would run bmsql_proc_payment on the coordinator;"
                  + " this distributes them:"
                  + " java -jar driver.jar sql PROPS storedProcedureCreates");
      connection.rollback();
    }
  }

  @Test
  void allProfilesLeaveTheSameRowsAndOutcomes() throws SQLException {
    SmallTpcc.requireSameResults(
        CitusStatementsTest::open,
        List.of(StatementProfile.values()),
        CitusStatementsTest::forCitus);
  }
}
