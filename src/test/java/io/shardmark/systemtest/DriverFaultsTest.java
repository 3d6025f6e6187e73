package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run does, and says of itself, when rows or procedures go wrong. */
final class DriverFaultsTest {
  private static final String PROPS = Workspace.PROPERTIES;

  @TempDir private Path directory;

  private Workspace workspace(Map<String, String> properties) throws Exception {
    return new Workspace(directory).properties(properties);
  }

  /** Four terminals that run for a time, and may fail. */
  static Map<String, String> timed(Map<String, String> properties, String minutes) {
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", minutes);
    properties.put("terminals", "4");
    properties.put("failOn", "none"); // that a run with many errors ends badly is tested elsewhere
    return properties;
  }

  private JsonNode summary() throws Exception {
    return new Workspace(directory).result("result").summary();
  }

  /** A session lives a moment longer than its client. */
  private static void awaitNoOpenTransaction(String database) {
    String open =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = '%s' AND state LIKE 'idle in transaction%%'"
            .formatted(database);
    await("open transactions")
        .atMost(DriverProcess.PATIENCE)
        .until(() -> Postgres.number(Postgres.USER, open) == 0);
  }

  /** Ends a run whose terminals go on after faults: more than one order of each of the four. */
  private static Finished endAfterMoreOrders(DriverProcess process, String database)
      throws Exception {
    Postgres.awaitMoreOrders(database, 20);
    process.signal("INT");
    Finished finished = process.await().withoutTrace();
    assertThat(finished.status()).as(finished.all()).isEqualTo(130);
    return finished;
  }

  @ParameterizedTest
  @ValueSource(strings = {"benchmarksql", "batched", "procedures"})
  void rowsThatCannotBeRightFailTheirTransactionsAndTheTerminalsGoOn(String profile)
      throws Exception {
    String database = Postgres.loadedDatabase();
    Map<String, String> properties = timed(Postgres.properties(database), "10");
    properties.put("statementProfile", profile);
    Workspace workspace = workspace(properties);
    workspace.run("sql", PROPS, "storedProcedureCreates").succeeded();
    try (DriverProcess process = workspace.start("run", PROPS)) {
      process.awaitOutput("created ");
      Postgres.execute(
          database,
          "CREATE TABLE prices AS SELECT i_id AS id, i_price AS price FROM bmsql_item",
          "UPDATE bmsql_item SET i_price = NULL WHERE i_id <= 50000");
      process.awaitOutput("WRONG_DATA in NEW_ORDER");
      Postgres.execute(
          database,
          "UPDATE bmsql_item SET i_price = price FROM prices WHERE id = i_id AND i_price IS NULL");
      Finished finished = endAfterMoreOrders(process, database);
      assertThat(finished.out()).doesNotContain("broken off", "aborted");
    }
    assertThat(summary().at("/run/ending").asText()).isEqualTo("interrupted");
    assertThat(summary().at("/types/0/errorsByDisposition/WRONG_DATA").asLong()).isPositive();
    assertThat(summary().at("/types/0/committed").asLong()).isPositive();
    awaitNoOpenTransaction(database);
    new Workspace(directory).run("verify", PROPS).succeeded();
    Postgres.drop(database);
  }

  @Test
  void aResultDirectoryThatVanishesIsTold() throws Exception {
    Map<String, String> properties = timed(Postgres.properties("postgres", "null:"), "10");
    properties.put("limitTxnsPerMin", "600");
    try (DriverProcess process = workspace(properties).start("run", PROPS)) {
      process.awaitOutput("Running Average");
      Files.move(directory.resolve("result"), directory.resolve("elsewhere"));
      process.awaitOutput("the result directory result is gone");
      process.signal("INT");
      Finished finished = process.await().withoutTrace();
      assertThat(finished.out()).contains("Measured tpmC", "Verdict: ");
    }
    assertThat(directory.resolve("result")).doesNotExist();
  }

  @Test
  void aDroppedProcedureFailsTransactionsAndTheTerminalsGoOn() throws Exception {
    String database = Postgres.loadedDatabase();
    Map<String, String> properties = timed(Postgres.properties(database), "10");
    properties.put("statementProfile", "procedures");
    Workspace workspace = workspace(properties);
    workspace.run("sql", PROPS, "storedProcedureCreates").succeeded();
    try (DriverProcess process = workspace.start("run", PROPS)) {
      process.awaitOutput("created ");
      Postgres.execute(
          database,
          "DROP ROUTINE bmsql_proc_payment",
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
              + database
              + "' AND pid <> pg_backend_pid()");
      process.awaitOutput("OTHER_ERROR in PAYMENT, SQLSTATE 42883");
      endAfterMoreOrders(process, database);
    }
    assertThat(summary().at("/run/ending").asText()).isEqualTo("interrupted");
    assertThat(summary().at("/types/1/errors").asLong()).as("payments fail").isPositive();
    Postgres.drop(database);
  }
}
