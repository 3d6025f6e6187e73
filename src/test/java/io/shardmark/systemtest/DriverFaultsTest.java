package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
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
      Postgres.execute(database, "UPDATE bmsql_item SET i_price = NULL WHERE i_id <= 50000");
      process.awaitOutput("WRONG_DATA in NEW_ORDER");
      Postgres.execute(database, "UPDATE bmsql_item SET i_price = 1 WHERE i_price IS NULL");
      Finished finished = process.await().succeeded().withoutTrace();
      assertThat(finished.out()).doesNotContain("broken off", "aborted");
    }
    assertThat(summary().at("/run/ending").asText()).isEqualTo("completed");
    assertThat(summary().at("/types/0/errorsByDisposition/WRONG_DATA").asLong()).isPositive();
    assertThat(summary().at("/types/0/committed").asLong()).isPositive();
    assertThat(openTransactions(database)).isZero();
    new Workspace(directory).run("verify", PROPS).succeeded();
    Postgres.drop(database);
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
      Postgres.execute(
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
}
