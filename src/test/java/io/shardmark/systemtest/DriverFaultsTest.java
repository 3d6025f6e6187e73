package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run does, and says of itself, when rows, procedures or its own threads go wrong. */
final class DriverFaultsTest {
  private static final String PROPS = Workspace.PROPERTIES;

  @TempDir private Path directory;

  private Workspace workspace(Map<String, String> properties) throws Exception {
    return new Workspace(directory).properties(properties);
  }

  private static Map<String, String> timed(Map<String, String> properties, String minutes) {
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", minutes);
    properties.put("terminals", "4");
    properties.put("failOn", "none"); // that a run with many errors ends badly is tested elsewhere
    return properties;
  }

  private JsonNode summary() throws Exception {
    return new ObjectMapper()
        .readTree(Files.readAllBytes(directory.resolve("result/summary.json")));
  }

  private String report() throws Exception {
    return Files.readString(directory.resolve("result/report.html"));
  }

  private static void execute(String database, String... statements) throws Exception {
    try (Connection connection = Postgres.connect(database);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static long openTransactions(String database) throws Exception {
    try (Connection connection = Postgres.connect(Postgres.USER);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = '"
                    + database
                    + "' AND state LIKE 'idle in transaction%'")) {
      row.next();
      return row.getLong(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"benchmarksql", "batched"})
  void rowsThatCannotBeRightFailTheirTransactionsAndTheTerminalsGoOn(String profile)
      throws Exception {
    String database = Postgres.loadedDatabase();
    Map<String, String> properties = timed(Postgres.properties(database), "0.2");
    properties.put("statementProfile", profile);
    try (DriverProcess process = workspace(properties).start("run", PROPS)) {
      process.awaitOutput("created ");
      execute(database, "UPDATE bmsql_item SET i_price = NULL WHERE i_id <= 50000");
      process.awaitOutput("WRONG_DATA in NEW_ORDER");
      execute(database, "UPDATE bmsql_item SET i_price = 1 WHERE i_price IS NULL");
      Finished finished = process.await().succeeded().withoutTrace();
      assertThat(finished.out()).doesNotContain("broken off", "aborted");
    }
    assertThat(summary().at("/run/ending").asText()).isEqualTo("completed");
    assertThat(summary().at("/types/0/errorsByDisposition/WRONG_DATA").asLong()).isPositive();
    assertThat(summary().at("/types/0/committed").asLong()).isPositive();
    assertThat(openTransactions(database)).isZero();
    workspaceRun("verify").succeeded();
    Postgres.drop(database);
  }

  private Finished workspaceRun(String verb) throws Exception {
    return new Workspace(directory).run(verb, PROPS);
  }

  @Test
  void aDroppedProcedureFailsTransactionsAndTheTerminalsGoOn() throws Exception {
    String database = Postgres.loadedDatabase();
    Map<String, String> properties = timed(Postgres.properties(database), "0.15");
    properties.put("statementProfile", "procedures");
    Workspace workspace = workspace(properties);
    workspace.run("sql", PROPS, "storedProcedureCreates").succeeded();
    try (DriverProcess process = workspace.start("run", PROPS)) {
      process.awaitOutput("created ");
      execute(
          database,
          "DROP ROUTINE bmsql_proc_payment",
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
              + database
              + "' AND pid <> pg_backend_pid()");
      Finished finished = process.await().succeeded().withoutTrace();
      assertThat(finished.out()).contains("OTHER_ERROR in PAYMENT, SQLSTATE 42883");
    }
    assertThat(summary().at("/run/ending").asText()).isEqualTo("completed");
    assertThat(summary().at("/interval/seconds").asDouble()).isEqualTo(9.0);
    assertThat(summary().at("/types/1/errors").asLong()).as("payments fail").isPositive();
    // The terminals' last seconds are as full of orders as the first.
    assertThat(workspace.result("result").rows("per_second.csv"))
        .anyMatch(row -> row[1].equals("8") && row[2].equals("NEW_ORDER") && !row[4].equals("0"));
    Postgres.drop(database);
  }

  /** The lock is taken in mid-run and held until the end. */
  @Test
  void terminalsThatHangWhenTheIntervalEndsAreInTheLatencies() throws Exception {
    String database = Postgres.loadedDatabase();
    Map<String, String> properties = timed(Postgres.properties(database), "0.15");
    properties.put("terminals", "10");
    // A terminal that hangs in the second part of a Delivery has none of its own in flight.
    properties.put("paymentWeight", "47");
    properties.put("deliveryWeight", "0");
    try (DriverProcess process = workspace(properties).start("run", PROPS);
        Connection holder = Postgres.connect(database);
        Statement lock = holder.createStatement()) {
      holder.setAutoCommit(false);
      process.awaitOutput("C_LAST this run");
      lock.execute("LOCK TABLE bmsql_customer IN ACCESS EXCLUSIVE MODE");
      Finished finished = process.await().succeeded().withoutTrace();
      assertThat(finished.out())
          .contains("10 transactions did not end within 15 s", "Broken off after the end: 10")
          .contains("10 in flight", ">=");
    }
    JsonNode summary = summary();
    assertThat(summary.at("/load/inFlightAtEnd").asLong()).isEqualTo(10);
    assertThat(summary.at("/load/brokenOff").asLong()).isEqualTo(10);
    JsonNode due = summary.at("/latencyMillis/all/due");
    assertThat(due.at("/undone").asLong()).isEqualTo(10);
    assertThat(due.at("/lowerBoundFrom").asDouble()).isBetween(50.0, 100.0);
    // The lock was there for all but the first moments of 9 s.
    assertThat(due.at("/max").asDouble()).isGreaterThan(1000);
    assertThat(report()).contains("not done when the interval ended");
    Postgres.drop(database);
  }

  /** Nothing is answered: of 4,000 a minute that are due each worker begins one. */
  @Test
  void whatAnOpenLoopDidNotBeginIsReported() throws Exception {
    String database = Postgres.loadedDatabase();
    Map<String, String> properties = timed(Postgres.properties(database), "0.1");
    properties.put("openLoopTxnsPerMin", "4000");
    try (DriverProcess process = workspace(properties).start("run", PROPS);
        Connection holder = Postgres.connect(database);
        Statement lock = holder.createStatement()) {
      holder.setAutoCommit(false);
      process.awaitOutput("C_LAST this run");
      lock.execute("LOCK TABLE bmsql_customer, bmsql_stock IN ACCESS EXCLUSIVE MODE");
      Finished finished = process.await().succeeded().withoutTrace();
      assertThat(finished.out()).contains("Load: asked 4000 per minute    due 400", "Backlog");
    }
    JsonNode load = summary().at("/load");
    assertThat(load.at("/askedPerMinute").asDouble()).isEqualTo(4000);
    assertThat(load.at("/due").asLong()).isEqualTo(400);
    assertThat(load.at("/begun").asLong() + load.at("/backlogAtEnd").asLong()).isEqualTo(400);
    assertThat(load.at("/done").asLong() + load.at("/inFlightAtEnd").asLong())
        .isEqualTo(load.at("/begun").asLong());
    assertThat(load.at("/backlogGrowth").asLong()).isPositive();
    assertThat(report()).contains("Growth of the backlog", "Asked per minute");
    Postgres.drop(database);
  }

  private DriverProcess startWatched(Workspace workspace) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
    command.addAll(Workspace.FLAGS);
    command.addAll(List.of(ThreadKiller.AGENT, "-jar", Workspace.jar().toString(), "run", PROPS));
    return workspace.startCommand(command, Map.of());
  }

  /** At a low rate nobody waits for the collector, at full rate everybody does. */
  @ParameterizedTest
  @CsvSource({"Worker-1, 600", "Worker-1, 0", "collector, 600", "collector, 0", "main, 600"})
  void aFaultOfTheDriverEndsTheRunAsAborted(String thread, String limit) throws Exception {
    Map<String, String> properties = timed(Postgres.properties("postgres", "null:"), "10");
    properties.put("limitTxnsPerMin", limit);
    properties.put("resultRows", "none");
    try (DriverProcess process = startWatched(workspace(properties))) {
      // Not before classes are initialized: an error in one of those is another thread's too.
      process.awaitOutput("Running Average");
      ThreadKiller.kill(process, thread);
      Finished finished = process.await();
      assertThat(finished.status()).as(finished.all()).isNotZero();
      assertThat(finished.out())
          .contains("aborted", thread, "OutOfMemoryError", "Measured tpmC", "Results are in");
    }
    JsonNode summary = summary();
    assertThat(summary.at("/run/ending").asText()).isEqualTo("aborted");
    assertThat(summary.at("/faults/0/thread").asText()).isEqualTo(thread);
    assertThat(summary.at("/faults/0/cause").asText()).contains("OutOfMemoryError");
    assertThat(summary.at("/interval/seconds").asDouble()).isLessThan(500);
    assertThat(report()).contains("aborted", "OutOfMemoryError");
  }

  @ParameterizedTest
  @CsvSource({
    "os-collector, OS collector",
    "client-figures, client.csv",
    "db-stats, database figures",
    "live-view, live view"
  })
  void aLostObserverIsToldAndTheRunGoesOn(String thread, String name) throws Exception {
    boolean withDatabase = thread.equals("db-stats");
    String database = withDatabase ? Postgres.loadedDatabase() : "";
    Map<String, String> properties =
        withDatabase ? Postgres.properties(database) : Postgres.properties("postgres", "null:");
    timed(properties, "0.25").put("limitTxnsPerMin", "600");
    properties.put("osCollectorScript", "./misc/os_collector_linux.py");
    properties.put("osCollectorInterval", "1");
    properties.put("metricsPort", "127.0.0.1:0");
    try (DriverProcess process = startWatched(workspace(properties))) {
      process.awaitOutput("Live page");
      ThreadKiller.kill(process, thread);
      Finished finished = process.await();
      assertThat(finished.status()).as(finished.all()).isZero();
      assertThat(finished.out()).contains(name + ": stopped by a fault of its own");
    }
    assertThat(summary().at("/run/ending").asText()).isEqualTo("completed");
    assertThat(summary().at("/observers").toString())
        .contains(name + ": stopped by a fault of its own");
    assertThat(report()).contains(name + ": stopped by a fault of its own");
    if (withDatabase) {
      Postgres.drop(database);
    }
  }
}
