package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of unusual shape: many paced terminals, stuck statements, another JDK. */
final class RunShapeTest {
  private static final String PROPS = Workspace.PROPERTIES;

  @TempDir private Path directory;

  /** More than one transaction of a hundred failed, or none ended at all. */
  private static final int BROKE_A_THRESHOLD = 4;

  @Test
  void thousandPacedTerminalsShareEightConnections() throws Exception {
    Map<String, String> properties = Postgres.properties("postgres", "null:");
    properties.put("warehouses", "100");
    properties.put("terminals", "1000");
    properties.put("connections", "8");
    properties.put("keyingTimeMultiplier", "0.1");
    properties.put("thinkTimeMultiplier", "0.1");
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "0.1");
    Finished finished =
        new Workspace(directory).properties(properties).run("run", PROPS).succeeded();

    assertThat(finished.out())
        .contains("Input audit:", "scheduler lateness", "Measured tpmC")
        .containsPattern("connections=8\n");
    ResultFiles result = new Workspace(directory).result("result").assertWhole();
    assertThat(result.committed("NEW_ORDER")).isPositive();
    assertThat(result.errors("")).isZero();
  }

  /**
   * Each second has a rate of its own, or none; how fast the machine is changes nothing of what is
   * due.
   */
  @Test
  void stagesHaveFiguresOfTheirOwn() throws Exception {
    Map<String, String> properties = Postgres.properties("postgres", "null:");
    properties.put("terminals", "5");
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "0");
    properties.put("stages", "1s:600, 1s:0, 2s:1200");
    properties.put("failOn", "none");
    Finished finished =
        new Workspace(directory).properties(properties).run("run", PROPS).succeeded();

    assertThat(finished.out()).contains("stages=1s:600, 1s:0, 2s:1200", "Stages, rates per minute");
    ResultFiles result = new Workspace(directory).result("result").assertWhole();
    JsonNode stages = result.summary().path("stages");
    assertThat(stages.findValuesAsText("due")).containsExactly("10", "0", "40");
    assertThat(stages.findValuesAsText("seconds")).containsExactly("1.0", "1.0", "2.0");
    assertThat(result.summary().at("/load/due").asInt()).isEqualTo(50);
    assertThat(result.summary().at("/load/askedPerMinute").asDouble()).isEqualTo(750);
  }

  /** The lock is held for longer than the run: every statement that needs it times out. */
  @Test
  void statementsThatWaitForALockTimeOut() throws Exception {
    String database = Postgres.loadedDatabase();
    Map<String, String> properties = stuckRun(database);
    properties.put("statementTimeoutSecs", "4");
    properties.put("runMins", "0");
    properties.put("runTxnsPerTerminal", "2");
    Workspace workspace = new Workspace(directory).properties(properties);
    try (Connection holder = Postgres.connect(database);
        Statement lock = holder.createStatement()) {
      holder.setAutoCommit(false);
      lock.execute("LOCK TABLE bmsql_customer IN EXCLUSIVE MODE");
      Finished finished = workspace.run("run", PROPS).withoutTrace();
      assertThat(finished.status()).as(finished.all()).isEqualTo(BROKE_A_THRESHOLD);
      assertThat(finished.out())
          .contains("STATEMENT_TIMEOUT", "Verdict: transactions failed: ", "failOn errors ")
          .doesNotContain("broken off");
    }
    ResultFiles result = workspace.result("result").assertWhole();
    assertThat(result.ending()).isEqualTo("completed");
    assertThat(result.errors("PAYMENT")).as("two of each of two terminals").isEqualTo(4);
    workspace.run("verify", PROPS).succeeded();
    Postgres.drop(database);
  }

  @Test
  void transactionsThatNeverEndAreBrokenOffAfterTheGrace() throws Exception {
    String database = Postgres.loadedDatabase();
    Workspace workspace = new Workspace(directory).properties(stuckRun(database));
    try (Connection holder = Postgres.connect(database);
        Statement lock = holder.createStatement()) {
      holder.setAutoCommit(false);
      lock.execute("LOCK TABLE bmsql_customer IN EXCLUSIVE MODE");
      Finished finished = workspace.run("run", PROPS).withoutTrace();
      assertThat(finished.status()).as(finished.all()).isEqualTo(BROKE_A_THRESHOLD);
      assertThat(finished.out()).contains("broken off", "Measured tpmC", "Verdict: stood still: ");
    }
    assertThat(workspace.result("result").assertWhole().ending()).isEqualTo("completed");
    Postgres.drop(database);
  }

  /** Payments alone: whatever a terminal begins needs the lock. */
  private static Map<String, String> stuckRun(String database) {
    Map<String, String> properties = Postgres.properties(database);
    properties.put("newOrderWeight", "0");
    properties.put("paymentWeight", "100");
    properties.put("orderStatusWeight", "0");
    properties.put("deliveryWeight", "0");
    properties.put("stockLevelWeight", "0");
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "0.05");
    return properties;
  }

  @Test
  void runsOnTheNewestJdkOfThisMachine() throws Exception {
    Optional<Path> jdk = newestJdk();
    assumeTrue(jdk.isPresent(), "needs a JDK newer than 17 in /usr/lib/jvm");
    String database = Postgres.loadedDatabase();
    Workspace workspace = new Workspace(directory).properties(Postgres.properties(database));
    try (DriverProcess process = workspace.start(jdk.orElseThrow(), "run", PROPS)) {
      Finished finished = process.await().succeeded().withoutTrace();
      assertThat(finished.err()).as("warnings of the JVM").isEmpty();
    }
    try (DriverProcess process = workspace.start(jdk.orElseThrow(), "verify", PROPS)) {
      process.await().succeeded();
    }
    workspace.result("result").assertWhole();
    Postgres.drop(database);
  }

  private static Optional<Path> newestJdk() throws IOException {
    Path folder = Path.of("/usr/lib/jvm");
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> jdks = Files.list(folder)) {
      return jdks.filter(jdk -> Files.isExecutable(jdk.resolve("bin/java")))
          .filter(jdk -> version(jdk) > 17)
          .max(Comparator.comparingInt(RunShapeTest::version));
    }
  }

  /** The feature version out of a directory's name, 0 if it has none. */
  private static int version(Path jdk) {
    String digits = String.valueOf(jdk.getFileName()).replaceAll("^\\D*(?:1\\.)?(\\d*).*$", "$1");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }
}
