package io.shardmark.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.run.BenchmarkRun;
import io.shardmark.driver.run.Database;
import io.shardmark.driver.run.DatabaseBuild;
import io.shardmark.driver.tpcc.Tpcc;
import io.shardmark.driver.tpcc.conditions.TpccConditions;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.Verdict;
import io.shardmark.driver.verify.Verifier;
import io.shardmark.loader.LoadException;
import io.shardmark.loader.data.DataSet;
import io.shardmark.sql.script.ScriptStep;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/** Build, run, verify and destroy a few warehouses on an empty database. */
final class DatabaseRound {
  private static final int TERMINALS = 3;
  private static final int TRANSACTIONS = 40;

  /** Weights that let every type run often in few transactions. */
  private static final String RUN =
      """
      loadWorkers=2
      terminals=%d
      runTxnsPerTerminal=%d
      limitTxnsPerMin=0
      newOrderWeight=30
      paymentWeight=30
      orderStatusWeight=14
      deliveryWeight=13
      stockLevelWeight=13
      seed=20261120
      """
          .formatted(TERMINALS, TRANSACTIONS);

  private final String connection;
  private final Database database;
  private final Path directory;
  private final PrintStream out;

  /**
   * @param connection the lines of a properties file that name the database and its warehouses
   * @param directory for the run number
   * @param out borrowed; gets what the commands print
   */
  DatabaseRound(String connection, Database database, Path directory, PrintStream out) {
    this.connection = connection;
    this.database = database;
    this.directory = directory;
    this.out = out;
  }

  static BenchmarkProperties properties(String connection, StatementProfile profile) {
    return BenchmarkProperties.parse(
        Benchmarks.KEYS,
        Path.of("properties of the round"),
        connection + RUN,
        Map.of("statementProfile", profile.propertyName()));
  }

  void build() throws SQLException, LoadException, InterruptedException {
    BenchmarkProperties properties = properties(connection, StatementProfile.BENCHMARKSQL);
    newBuild().build(new Tpcc().dataSet(properties.values()), properties.load());
  }

  private DatabaseBuild newBuild() {
    return new DatabaseBuild(
        database, ScriptStep.scripts(), 16, directory, out, DatabaseBuild.Echo.SQL);
  }

  /** Every type runs and nothing fails. */
  void run(StatementProfile profile) throws IOException, InterruptedException {
    RunConsole console = new RunConsole(out, Clock.system(ZoneId.systemDefault()));
    RunResult run;
    try (BenchmarkRun alone =
        BenchmarkRun.open(properties(connection, profile), console, directory)) {
      run = alone.execute(database).figures();
    }
    assertThat(run.errors()).as("errors with profile %s", profile).isEmpty();
    assertThat(run.transactionCount())
        .as("transactions with profile %s", profile)
        .isEqualTo((long) TERMINALS * TRANSACTIONS);
    for (TypeResult type : run.types()) {
      assertThat(type.successes()).as("%s with profile %s", type.name(), profile).isPositive();
    }
  }

  void verify() throws SQLException, InterruptedException {
    List<ConditionResult> results =
        new Verifier(database.connections()::open, database.config().database(), 2)
            .run(new TpccConditions())
            .results();
    assertThat(results)
        .hasSizeGreaterThan(12)
        .allSatisfy(
            result ->
                assertThat(result.verdict())
                    .as("%s", result)
                    .isIn(Verdict.PASS, Verdict.NOT_APPLICABLE));
    assertThat(results)
        .filteredOn(result -> result.verdict() == Verdict.PASS)
        .hasSizeGreaterThan(11);
  }

  /** Runs a query of one number. */
  void assertCount(String query, long expected) throws SQLException {
    try (Connection open = database.connections().open();
        Statement statement = open.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getLong(1)).as(query).isEqualTo(expected);
    }
  }

  /** Leaves nothing, and can be said again. */
  void destroy() throws SQLException, LoadException, InterruptedException {
    DatabaseBuild build = newBuild();
    DataSet tables =
        new Tpcc().dataSet(properties(connection, StatementProfile.BENCHMARKSQL).values());
    build.destroy(tables);
    build.destroy(tables);
  }
}
