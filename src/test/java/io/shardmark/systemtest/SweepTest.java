package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verb {@code sweep} with real runs of about a second, most against real servers. */
final class SweepTest {
  private static final String[] TWO_BY_TWO = {
    "sweep",
    "props.one",
    "props.two",
    "--terminals",
    "2,12",
    "--repeat",
    "1",
    "--settle",
    "0s",
    "--output",
    "out"
  };

  /** The end of a build after which the first twenty transactions are made, and no more. */
  private static final String HOLD_THE_SECOND_RUN =
      """
      create sequence made;
      -- {
      create function hold() returns trigger language plpgsql as $$ begin
        if nextval('made') > 20 then perform pg_sleep(3600); end if;
        return new;
      end $$;
      -- }
      create trigger hold before insert on pgbench_history for each row execute function hold();
      """;

  @TempDir private Path directory;
  private Workspace workspace;

  @BeforeEach
  void workspace() {
    workspace = new Workspace(directory);
  }

  /** Runs of some transactions, which take no longer than they must. */
  private void properties(String name, String database) throws IOException {
    Map<String, String> properties = Postgres.bankProperties(Postgres.url(database));
    properties.put("runTxnsPerTerminal", "20");
    workspace.properties(name, properties);
  }

  /** State of each point by its directory, in the order of the plan. */
  private List<String> states() throws IOException {
    List<String> states = new ArrayList<>();
    for (JsonNode point : workspace.json("out/sweep.json").path("points")) {
      states.add(point.path("directory").asText() + " " + point.path("state").asText());
    }
    return states;
  }

  private List<Path> resultDirectories() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("out"))) {
      return files
          .filter(file -> file.endsWith("summary.json"))
          .map(file -> directory.resolve("out").relativize(file.getParent()))
          .sorted()
          .toList();
    }
  }

  @Test
  void runsTwoDatabasesInTurnsAndAFailedPointAgain() throws Exception {
    String one = Postgres.bank();
    String two = Postgres.bank();
    properties("props.one", one);
    properties("props.two", two);
    // Two terminals fit, also while observers are there and connections that are just ending.
    Postgres.execute(Postgres.USER, "ALTER DATABASE " + one + " CONNECTION LIMIT 11");

    Finished failed = workspace.sweep(TWO_BY_TWO);

    assertThat(failed.status()).as(failed.all()).isEqualTo(1);
    failed.withoutTrace();
    assertThat(failed.out())
        .contains("Failed points:", "too many connections", "time left about", "data verified");
    assertThat(states())
        .containsExactly(
            "one/t0002-r1 DONE", "two/t0002-r1 DONE", "two/t0012-r1 DONE", "one/t0012-r1 FAILED");
    assertThat(directory.resolve("out/one/t0012-r1")).doesNotExist();

    Postgres.execute(Postgres.USER, "ALTER DATABASE " + one + " CONNECTION LIMIT -1");
    Finished finished = workspace.sweep("sweep", "--resume", "out").succeeded();

    assertThat(states())
        .containsExactly(
            "one/t0002-r1 DONE", "two/t0002-r1 DONE", "two/t0012-r1 DONE", "one/t0012-r1 DONE");
    assertThat(resultDirectories()).hasSize(4);
    assertDone(finished);
    Postgres.drop(one);
    Postgres.drop(two);
  }

  private void assertDone(Finished finished) throws IOException {
    for (JsonNode point : workspace.json("out/sweep.json").path("points")) {
      assertThat(point.at("/outcome/verifyStatus").asInt(-1)).isZero();
      ResultFiles result = workspace.result("out/" + point.path("directory").asText());
      assertThat(result.assertWhole().summary().at("/configuration/terminals"))
          .isEqualTo(point.at("/point/terminals"));
    }
    assertThat(finished.out()).contains("data verified", "compare.html");
    assertThat(directory.resolve("out/compare.html")).isNotEmptyFile();
    assertThat(Files.readString(directory.resolve("out/compare.md"))).contains("one", "two");
    assertThat(workspace.json("out/compare.json").toString()).contains("t0012-r1");
    workspace.assertNowhereBut(Postgres.PASSWORD, "props.");
  }

  /** A result over data that is wrong is no result. */
  @Test
  void aPointWhoseDataIsWrongFailsAndIsSetAside() throws Exception {
    String one = Postgres.bank();
    properties("props.one", one);
    Postgres.execute(one, "UPDATE pgbench_branches SET bbalance = bbalance + 1");

    Finished failed =
        workspace.run("sweep", "props.one", "--terminals", "2", "--settle", "0", "--output", "out");

    assertThat(failed.status()).as(failed.all()).isEqualTo(1);
    assertThat(states()).containsExactly("one/t0002-r1 FAILED");
    assertThat(workspace.json("out/sweep.json").at("/points/0/outcome/why").asText())
        .startsWith("verify: ")
        .contains("fail");
    assertThat(resultDirectories()).containsExactly(Path.of("aside/one-t0002-r1-1"));
    Postgres.drop(one);
  }

  @Test
  void goesOnAfterAKillInTheMiddleOfARun() throws Exception {
    String one = Postgres.loadedDatabase();
    Map<String, String> payments = Postgres.properties(one);
    paymentsOnly(payments);
    workspace.properties("props.one", payments);
    String[] command = {
      "sweep", "props.one", "--terminals", "1,2,3", "--settle", "0s", "--output", "out"
    };
    try (Connection ofOrders = Postgres.connect(one);
        Connection ofCustomers = Postgres.connect(one);
        DriverProcess process = startLocked(ofOrders, "bmsql_order_line IN ACCESS", command)) {
      // Payments need no orders, but the check of the first run waits for them.
      awaitFile(directory.resolve("out/one/t0001-r1/summary.json"));
      Postgres.awaitSessionsWaitingForALock(one, 1);
      // The check only reads; the second run does not get to its end.
      lock(ofCustomers, "bmsql_customer IN");
      ofOrders.rollback();
      process.awaitOutput("[2/3]");
      Postgres.awaitSessionsWaitingForALock(one, 1);
      process.signal("KILL");
      process.await();
    }
    assertThat(states())
        .containsExactly("one/t0001-r1 DONE", "one/t0002-r1 RUNNING", "one/t0003-r1 PENDING");

    Finished finished = workspace.sweep(command).succeeded();

    assertThat(finished.out()).contains("1 points are done");
    assertThat(states()).allMatch(state -> state.endsWith(" DONE"));
    JsonNode points = workspace.json("out/sweep.json").path("points");
    assertThat(points.at("/0/attempts").asInt()).isEqualTo(1);
    assertThat(points.at("/1/attempts").asInt()).isEqualTo(2);
    assertThat(directory.resolve("out/aside/one-t0002-r1-1/data")).isDirectory();
    assertThat(ending("out/aside/one-t0002-r1-1")).isIn("interrupted", "none");
    for (JsonNode point : points) {
      assertThat(ending("out/" + point.path("directory").asText())).isEqualTo("completed");
    }
    Postgres.drop(one);
  }

  /** Twenty of each terminal. */
  private static void paymentsOnly(Map<String, String> properties) {
    properties.put("runTxnsPerTerminal", "20");
    properties.put("newOrderWeight", "0");
    properties.put("paymentWeight", "100");
    for (String type : List.of("orderStatus", "delivery", "stockLevel")) {
      properties.put(type + "Weight", "0");
    }
  }

  private DriverProcess startLocked(Connection holder, String table, String... command)
      throws Exception {
    lock(holder, table);
    return workspace.start(command);
  }

  private static void lock(Connection holder, String table) throws SQLException {
    holder.setAutoCommit(false);
    try (Statement lock = holder.createStatement()) {
      lock.execute("LOCK TABLE " + table + " EXCLUSIVE MODE");
    }
  }

  @Test
  void goesOnAfterCtrlC() throws Exception {
    String one = Postgres.bank();
    Map<String, String> properties = Postgres.bankProperties(Postgres.url(one));
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "10");
    workspace.properties("props.one", properties);
    String[] command = {
      "sweep", "props.one", "--terminals", "2", "--settle", "0s", "--output", "out"
    };
    try (DriverProcess process = workspace.start(command)) {
      process.awaitOutput("[1/1]");
      awaitFile(directory.resolve("out/one/t0002-r1/data"));
      process.signal("INT");
      Finished stopped = process.await().withoutTrace();
      assertThat(stopped.status()).isEqualTo(130);
    }
    assertThat(states()).containsExactly("one/t0002-r1 RUNNING");
    assertThat(ending("out/one/t0002-r1")).isEqualTo("interrupted");

    Finished other = workspace.run("sweep", "props.one", "--terminals", "3", "--output", "out");
    other.failedWithOneLine(1, "out", "--terminals [2]", "[3]");
    Postgres.drop(one);
  }

  private String ending(String result) throws IOException {
    Path summary = directory.resolve(result).resolve("summary.json");
    return Files.exists(summary) ? workspace.result(result).ending() : "none";
  }

  private static void awaitFile(Path expected) {
    await(expected + " comes").atMost(DriverProcess.PATIENCE).until(() -> Files.exists(expected));
  }

  private static boolean isEmpty(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Servers that the sweep starts, builds and ends; a killed one leaves no password behind. */
  @Test
  void buildsEmbeddedDatabasesItselfAndKeepsTheirPasswordToItself() throws Exception {
    Map<String, String> properties =
        Postgres.bankProperties("embedded:postgres?fsync=off&memory=256MB");
    properties.remove("driver");
    properties.put("runTxnsPerTerminal", "20");
    workspace.properties("props.one", properties);
    Path scripts = Files.createDirectories(directory.resolve("tpcb/sql.postgres"));
    Path hold = Files.writeString(scripts.resolve("buildFinish.sql"), HOLD_THE_SECOND_RUN);
    Path temporary = Files.createDirectories(directory.resolve("tmp"));
    // Where the test is root, the server is someone else, who must get to his files.
    for (Path path : List.of(directory, temporary)) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
    }
    List<String> command = Workspace.java(Workspace.jar(), "-Djava.io.tmpdir=" + temporary);
    command.addAll(List.of("sweep", "props.one", "--terminals", "1,2", "--settle", "0"));
    command.addAll(List.of("--no-verify", "--output", "out", "retries", "1"));

    try (DriverProcess process = workspace.startCommand(command, Map.of())) {
      process.awaitOutput("[2/2]");
      process.signal("KILL");
      process.await();
    }
    await(temporary + " has nothing left")
        .atMost(DriverProcess.PATIENCE)
        .until(() -> isEmpty(temporary));
    workspace.assertNowhereBut(Postgres.PASSWORD, "props.");

    Files.delete(hold);
    try (DriverProcess process = workspace.startCommand(command, Map.of())) {
      assertThat(process.await().succeeded().out()).contains("one: is built");
    }
    assertThat(states()).containsExactly("one/t0001-r1 DONE", "one/t0002-r1 DONE");
    assertThat(workspace.result("out/one/t0002-r1").summary().at("/configuration/retries").asInt())
        .isEqualTo(1);
    workspace.assertNowhereBut(Postgres.PASSWORD, "props.");
  }

  /** One file makes a database for each number of shards; all of them meet in one comparison. */
  @Test
  void variesTheShardsOfEmbeddedServersAndGoesOnAfterwards() throws Exception {
    Files.writeString(
        directory.resolve("props.tpcb"),
        """
        workload=tpcb
        db=postgres
        conn=embedded:sharded?shards=2&fsync=off&memory=512MB
        rowsPerTable=300
        transactions=no-history
        retries=50
        runMins=0
        runTxnsPerTerminal=20
        """);
    String[] command = {
      "sweep",
      "props.tpcb",
      "--param",
      "shards=1,3",
      "--terminals",
      "2",
      "--settle",
      "0",
      "--output",
      "out"
    };

    Finished finished = workspace.sweep(command).succeeded();

    assertThat(states())
        .containsExactly("tpcb-shards-1/t0002-r1 DONE", "tpcb-shards-3/t0002-r1 DONE");
    assertThat(finished.out())
        .contains("tpcb-shards-1: is built", "tpcb-shards-3: is built", "compare.html");
    assertThat(workspace.result("out/tpcb-shards-3/t0002-r1").summary().at("/configuration/conn"))
        .as("the server that the sweep started")
        .asString()
        .contains("jdbc:postgresql://127.0.0.1:");
    assertThat(workspace.sweep("sweep", "--resume", "out").succeeded().out())
        .contains("2 points are done");
  }

  @Test
  void refusesInOneLineBeforeAnythingIsRun() throws Exception {
    Map<String, String> properties = Postgres.properties("none");
    workspace.properties("props.one", properties);
    properties.put("statementProfile", "fast");
    workspace.properties("props.bad", properties);
    Map<String, String> several = SweepSearchTest.timed(Postgres.properties("none"));
    several.putAll(Map.of("drivers", "2", "driverIndex", "0"));
    workspace.properties("props.several", several);
    Files.createDirectories(directory.resolve("full"));
    Files.writeString(directory.resolve("full/file"), "something else");

    misused("expected different whole numbers from 1", "props.one", "--terminals", "1,x");
    misused("--terminals is missing", "props.one");
    refused("statementProfile=fast", "props.one", "props.bad", "--terminals", "1");
    refused("drivers is above 1", "props.several", "--terminals", "2");
    refused("holds something else", "props.one", "--terminals", "1", "--output", "full");
    misused("expected one of tpmC, terminals, warehouses", "props.one", "--search", "fame");
    refused("runTxnsPerTerminal=50", "props.one", "--search", "tpmC");
    misused("expected a time such as 30s", "props.one", "--terminals", "1", "--settle", "soon");
    refused("is no directory of a sweep", "--resume", "full");
    misused("expected no other argument", "--resume", "full", "--hold", "50");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> String.valueOf(file.getFileName())))
          .containsExactlyInAnyOrder("props.one", "props.bad", "props.several", "full");
    }
  }

  private void refused(String expected, String... arguments) throws Exception {
    fails(1, expected, arguments);
  }

  private void misused(String expected, String... arguments) throws Exception {
    fails(2, expected, arguments);
  }

  private void fails(int status, String expected, String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of("sweep"));
    words.addAll(List.of(arguments));
    workspace.run(words.toArray(String[]::new)).failedWithOneLine(status, expected);
  }
}
