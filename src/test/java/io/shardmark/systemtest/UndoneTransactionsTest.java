package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run says of transactions that are under way, or have not begun, when it ends. */
final class UndoneTransactionsTest {
  private static final String PROPS = Workspace.PROPERTIES;

  @TempDir private Path directory;
  private Workspace workspace;

  @BeforeEach
  void workspace() {
    workspace = new Workspace(directory);
  }

  private String report() throws Exception {
    return Files.readString(directory.resolve("result/report.html"));
  }

  /** The lock is taken when transactions have committed, and held until the end. */
  @Test
  void terminalsThatHangWhenTheIntervalEndsAreInTheLatencies() throws Exception {
    String database = Postgres.loadedDatabase();
    Map<String, String> properties = DriverFaultsTest.timed(Postgres.properties(database), "0.3");
    properties.put("terminals", "10");
    // A terminal that hangs in the second part of a Delivery has none of its own in flight.
    properties.put("paymentWeight", "47");
    properties.put("deliveryWeight", "0");
    try (DriverProcess process = workspace.properties(properties).start("run", PROPS);
        Connection holder = Postgres.connect(database);
        Statement lock = holder.createStatement()) {
      holder.setAutoCommit(false);
      // Enough that the ten that hang are the slower part, and few enough for a busy machine.
      Postgres.awaitMoreOrders(database, 20);
      lock.execute("LOCK TABLE bmsql_customer IN ACCESS EXCLUSIVE MODE");
      Finished finished = process.await().succeeded().withoutTrace();
      assertThat(finished.out())
          .contains("10 transactions did not end within 15 s", "Broken off after the end: 10")
          .contains("10 in flight", ">=");
    }
    JsonNode summary = workspace.result("result").summary();
    assertThat(summary.at("/load/inFlightAtEnd").asLong()).isEqualTo(10);
    assertThat(summary.at("/load/brokenOff").asLong()).isEqualTo(10);
    JsonNode due = summary.at("/latencyMillis/all/due");
    assertThat(due.at("/undone").asLong()).isEqualTo(10);
    assertThat(due.at("/lowerBoundFrom").asDouble()).isBetween(50.0, 100.0);
    // The lock was there for most of 18 s.
    assertThat(due.at("/max").asDouble()).isGreaterThan(1000);
    assertThat(report()).contains("not done when the interval ended");
    Postgres.drop(database);
  }

  /** A cut network and a frozen host close no connection: the run must not end as a good one. */
  @Test
  void aServerThatFallsSilentEndsTheRunAsAnOutage() throws Exception {
    String database = Postgres.loadedDatabase();
    try (SilentRelay relay = SilentRelay.to(Postgres.port())) {
      Map<String, String> properties = DriverFaultsTest.timed(Postgres.properties(database), "0.3");
      properties.put("conn", "jdbc:postgresql://127.0.0.1:%d/%s".formatted(relay.port(), database));
      properties.remove("failOn");
      try (DriverProcess process = workspace.properties(properties).start("run", PROPS)) {
        Postgres.awaitMoreOrders(database, 5);
        relay.fallSilent();
        Finished finished = process.await().withoutTrace();
        assertThat(finished.status()).as(finished.all()).isEqualTo(4);
        assertThat(finished.out())
            .containsPattern("failOn outageAtEnd [\\d,]+ ms \\(below 2 s\\): BROKEN")
            .contains("did not end in the 15 s after it");
      }
    }
    assertThat(workspace.result("result").summary().at("/load/brokenOff").asLong()).isEqualTo(4);
    Postgres.drop(database);
  }

  /** The lock lets a few pass that only read: of 4,000 a minute that are due most never begin. */
  @Test
  void whatAnOpenLoopDidNotBeginIsReported() throws Exception {
    String database = Postgres.loadedDatabase();
    Map<String, String> properties = DriverFaultsTest.timed(Postgres.properties(database), "0.1");
    properties.put("openLoopTxnsPerMin", "4000");
    try (Connection holder = Postgres.connect(database);
        Statement lock = holder.createStatement()) {
      holder.setAutoCommit(false);
      lock.execute("LOCK TABLE bmsql_customer, bmsql_stock IN EXCLUSIVE MODE");
      Finished finished =
          workspace.properties(properties).run("run", PROPS).succeeded().withoutTrace();
      assertThat(finished.out()).contains("Load: asked 4000 per minute    due 400", "Backlog");
    }
    JsonNode load = workspace.result("result").summary().at("/load");
    assertThat(load.at("/askedPerMinute").asDouble()).isEqualTo(4000);
    assertThat(load.at("/due").asLong()).isEqualTo(400);
    assertThat(load.at("/begun").asLong() + load.at("/backlogAtEnd").asLong()).isEqualTo(400);
    assertThat(load.at("/done").asLong() + load.at("/inFlightAtEnd").asLong())
        .isEqualTo(load.at("/begun").asLong());
    assertThat(load.at("/backlogGrowth").asLong()).isPositive();
    assertThat(report()).contains("Growth of the backlog", "Asked per minute");
    Postgres.drop(database);
  }
}
