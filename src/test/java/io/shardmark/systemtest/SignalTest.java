package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.systemtest.DriverProcess.Finished;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ctrl-C and SIGTERM at every phase. */
final class SignalTest {
  private static final String PROPS = Workspace.PROPERTIES;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"run, INT, 130", "run, TERM, 143", "build, INT, 130"})
  void whileConnecting(String verb, String signal, int status) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      silent.setSoTimeout((int) TimeUnit.SECONDS.toMillis(DriverProcess.PATIENCE_SECONDS));
      String url = "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/x";
      Workspace workspace =
          new Workspace(directory).properties(Postgres.properties("postgres", url));
      try (DriverProcess process = workspace.start(verb, PROPS);
          Socket connected = silent.accept()) {
        assertThat(connected.isConnected()).isTrue();
        process.signal(signal);
        Finished finished = process.await().withoutTrace();
        assertThat(finished.status()).isEqualTo(status);
      }
    }
    assertThat(directory.resolve("result")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "Loading Warehouse, INT, 130",
    "alter table bmsql_warehouse add, TERM, 143",
    "alter table bmsql_stock add constraint s_, INT, 130",
  })
  void whileBuilding(String phase, String signal, int status) throws Exception {
    String database = Postgres.newDatabase();
    Workspace workspace = new Workspace(directory).properties(Postgres.properties(database));
    try (Connection holder = Postgres.connect(database);
        Statement lock = holder.createStatement()) {
      // The vacuum at the end would wait for this, so that no build is over before its signal.
      lock.execute("CREATE TABLE held (i integer)");
      holder.setAutoCommit(false);
      lock.execute("LOCK TABLE held IN SHARE UPDATE EXCLUSIVE MODE");
      try (DriverProcess process = workspace.start("build", "-v", PROPS)) {
        process.awaitOutput(phase);
        process.signal(signal);
        Finished finished = process.await().withoutTrace();
        assertThat(finished.status()).as(finished.all()).isEqualTo(status);
      }
    }
    workspace.run("build", PROPS).succeeded();
    workspace.run("verify", PROPS).succeeded();
    Postgres.drop(database);
  }

  @ParameterizedTest
  @CsvSource({"ramp-up, 1, INT, 130", "measuring, 0, INT, 130", "measuring, 0, TERM, 143"})
  void whileRunning(String phase, String rampupMins, String signal, int status) throws Exception {
    String database = Postgres.loadedDatabase();
    Map<String, String> properties = timed(database);
    properties.put("rampupMins", rampupMins);
    Workspace workspace = new Workspace(directory).properties(properties);
    try (DriverProcess process = workspace.start("run", PROPS)) {
      process.awaitOutput("Running Average");
      process.signal(signal);
      Finished finished = process.await().withoutTrace();

      assertThat(finished.status()).as(finished.all()).isEqualTo(status);
      assertThat(finished.out()).as("in %s", phase).contains("Measured tpmC", "Transaction Count");
      ResultFiles result = workspace.result("result").assertWhole();
      assertThat(result.ending()).isEqualTo("interrupted");
    }
    workspace.run("verify", PROPS).succeeded();
    Postgres.drop(database);
  }

  @Test
  void whatGoesWrongBehindTheSignalIsTold() throws Exception {
    String bank = Postgres.bank();
    Map<String, String> properties = Postgres.bankProperties(Postgres.url(bank));
    properties.putAll(Map.of("runTxnsPerTerminal", "0", "runMins", "10"));
    Workspace workspace = new Workspace(directory).properties(properties);
    try (DriverProcess process = workspace.start("run", PROPS)) {
      process.awaitOutput("Running Average");
      Path result = directory.resolve("result");
      Files.createDirectory(result.resolve("summary.json"));
      process.signal("INT");
      Finished finished = process.await();

      assertThat(finished.status()).as(finished.all()).isEqualTo(130);
      assertThat(finished.err()).contains("ERROR: ").contains("summary.json");
    }
    Postgres.drop(bank);
  }

  /**
   * Ctrl-C reaches neither the command of an event nor what that has started: the run ends both.
   */
  @Test
  void whileAnEventIsUnderWay() throws Exception {
    String bank = Postgres.bank();
    Map<String, String> properties = Postgres.bankProperties(Postgres.url(bank));
    properties.putAll(
        Map.of("runTxnsPerTerminal", "0", "runMins", "10", "events", "0s crash: sh crash.sh"));
    Workspace workspace = new Workspace(directory).properties(properties);
    Files.writeString(
        directory.resolve("crash.sh"), "(sleep 9999 & echo $!)\necho $$\nsleep 9999\necho over\n");
    try (DriverProcess process = workspace.start("run", PROPS)) {
      process.awaitOutput("Running Average");
      Path log = directory.resolve("result/data/events.log");
      while (!Files.exists(log) || Files.readString(log).lines().count() < 2) {
        Thread.onSpinWait();
      }
      process.signal("INT");
      Finished finished = process.await().withoutTrace();

      assertThat(finished.status()).as(finished.all()).isEqualTo(130);
      assertThat(Files.readString(log).lines().map(Long::parseLong))
          .hasSize(2)
          .allSatisfy(pid -> assertThat(ProcessHandle.of(pid)).isEmpty());
      assertThat(workspace.result("result").assertWhole().ending()).isEqualTo("interrupted");
    }
    Postgres.drop(bank);
  }

  /** Every terminal waits for a lock that is never released: the run ends all the same. */
  @Test
  void whileEveryTransactionIsStuck() throws Exception {
    String database = Postgres.loadedDatabase();
    Workspace workspace = new Workspace(directory).properties(timed(database));
    try (Connection holder = Postgres.connect(database);
        Statement lock = holder.createStatement();
        DriverProcess process = workspace.start("run", PROPS)) {
      process.awaitOutput("Running Average");
      holder.setAutoCommit(false);
      lock.execute("LOCK TABLE bmsql_customer IN EXCLUSIVE MODE");
      Postgres.awaitSessionsWaitingForALock(database, 2);
      process.signal("INT");
      process.signal("INT");
      Finished finished = process.await().withoutTrace();

      assertThat(finished.status()).as(finished.all()).isEqualTo(130);
      assertThat(finished.out()).contains("broken off", "Measured tpmC");
      assertThat(workspace.result("result").assertWhole().ending()).isEqualTo("interrupted");
    }
    workspace.run("verify", PROPS).succeeded();
    Postgres.drop(database);
  }

  /** Ten minutes, of which none is waited for. */
  private static Map<String, String> timed(String database) {
    Map<String, String> properties = Postgres.properties(database);
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "10");
    return properties;
  }
}
