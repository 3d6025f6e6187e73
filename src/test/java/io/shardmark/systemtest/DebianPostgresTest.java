package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.servers.DebianPostgres;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole round through BenchmarkSQL's scripts on the PostgreSQL that Debian ships, with a crash
 * of the server in the middle.
 */
final class DebianPostgresTest {
  private static final String PROPS = Workspace.PROPERTIES;
  private static final int TERMINALS = 8;

  @TempDir private Path directory;

  @Test
  void scriptsBuildRunAndDestroyAndARunOutlivesTheServer() throws Exception {
    assumeTrue(DebianPostgres.isAvailable(), DebianPostgres.NOT_THERE);
    try (DebianPostgres server = DebianPostgres.start(Postgres.USER, Postgres.PASSWORD)) {
      Map<String, String> properties = Postgres.properties("postgres", server.url());
      properties.put("warehouses", "2");
      properties.put("terminals", Integer.toString(TERMINALS));
      Workspace workspace = new Workspace(directory).properties(properties);
      workspace.script("runDatabaseBuild.sh", PROPS).succeeded();

      Finished run = workspace.script("runBenchmark.sh", PROPS).succeeded();
      assertThat(run.out()).containsPattern("Term-00, Transaction Count = 400\n");
      assertThat(workspace.result("result").assertWhole().errors("")).isZero();

      crash(server, workspace, properties);

      workspace.run("verify", PROPS).succeeded();
      workspace.assertNowhere(Postgres.PASSWORD);
      workspace.script("runDatabaseDestroy.sh", PROPS).succeeded();
    }
  }

  private void crash(DebianPostgres server, Workspace workspace, Map<String, String> properties)
      throws Exception {
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "10");
    properties.put("connectTimeoutSecs", "15");
    properties.put("resultDirectory", "crashed");
    workspace.properties(properties);
    long before = newOrders(server);
    Finished finished;
    try (DriverProcess process = workspace.startScript("runBenchmark.sh", PROPS)) {
      process.awaitOutput("Running Average");
      server.killHard();
      // Two lines are seconds apart: a time without a success that cannot be chance.
      process.awaitNewOutput("Running Average");
      process.awaitNewOutput("Running Average");
      server.restart();
      awaitNewOrders(server);
      process.signal("INT");
      finished = process.await().withoutTrace();
    }

    assertThat(finished.status()).as(finished.all()).isEqualTo(130);
    assertThat(finished.out()).contains("CONNECTION_LOST", "Measured tpmC");
    ResultFiles result = workspace.result("crashed").assertWhole();
    assertThat(result.ending()).isEqualTo("interrupted");
    assertThat(result.errors("")).isPositive();
    assertThat(result.summary().at("/verdict/kind").asText()).isEqualTo("server-lost");
    assertThat(result.summary().at("/verdict/driverBound").asBoolean()).isFalse();
    assertThat(finished.out())
        .containsPattern("Verdict: server lost: .* and it was back at second");
    long stored = newOrders(server) - before;
    long committed = result.committed("NEW_ORDER");
    long outside = result.summary().at("/interval/transactionsOutside").asLong();
    // Orders whose commit was answered are there. Beyond them, only ones whose answer was lost.
    assertThat(stored).isBetween(committed, committed + result.errors("NEW_ORDER") + outside);
  }

  /**
   * Returns when orders have come since the server is back: the run goes on. More than one of each
   * terminal, so that some are acknowledged.
   */
  private static void awaitNewOrders(DebianPostgres server) throws Exception {
    long then = newOrders(server);
    await("orders after the restart")
        .atMost(DriverProcess.PATIENCE)
        .until(() -> newOrders(server) > then + TERMINALS);
  }

  private static long newOrders(DebianPostgres server) throws Exception {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT sum(d_next_o_id - 3001) FROM bmsql_district")) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
