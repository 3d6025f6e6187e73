package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user does from the first table to the last, with {@code java -jar}. */
final class WholeRoundTest {
  private static final String PROPS = Workspace.PROPERTIES;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"benchmarksql", "batched", "procedures"})
  void runsAndVerifiesWithEveryStatementProfile(String profile) throws Exception {
    String database = Postgres.loadedDatabase();
    Map<String, String> properties = Postgres.properties(database);
    properties.put("statementProfile", profile);
    Workspace workspace = new Workspace(directory).properties(properties);

    Finished run = workspace.run(PROPS).succeeded();

    assertThat(run.out())
        .containsPattern("Term-00, Measured tpmC \\(NewOrders\\) = [0-9.]+\n")
        .containsPattern("Term-00, Measured tpmTOTAL = [0-9.]+\n")
        .containsPattern("Term-00, Transaction Count = 100\n")
        .doesNotContain(Postgres.PASSWORD);
    ResultFiles result = workspace.result("result").assertWhole();
    assertThat(result.ending()).isEqualTo("completed");
    assertThat(result.summary().at("/configuration/statementProfile").asText()).isEqualTo(profile);
    assertThat(result.errors("")).isZero();
    assertThat(result.rows("result.csv")).hasSizeGreaterThanOrEqualTo(100);
    assertThat(run.all()).doesNotContain("WARN");
    workspace.assertNowhere(Postgres.PASSWORD);
    String page = pageJson();
    workspace.run("report", "result").succeeded();
    assertThat(pageJson()).as("the run showed what it wrote").isEqualTo(page);
    workspace.run("verify", PROPS).succeeded();
    Postgres.drop(database);
  }

  private String pageJson() throws IOException {
    String page = Files.readString(directory.resolve("result/report.html"));
    return page.substring(page.indexOf(" id=\"page\">"), page.indexOf("</script>"));
  }

  @Test
  void buildsAndDestroysLeavingNothing() throws Exception {
    String database = Postgres.newDatabase();
    Workspace workspace = new Workspace(directory).properties(Postgres.properties(database));

    Finished build = workspace.run("build", PROPS, "seed", "7").succeeded();
    assertThat(build.out().replaceAll(" +[0-9.]+ s\\b", " TIME"))
        .containsPattern("Building 1 warehouse in jdbc:postgresql:.* seed=7\n")
        .containsPattern("(?m)^  tableCreates TIME$")
        .containsPattern("(?m)^  load TIME   [0-9,]+ rows, [0-9,]+ rows/s$")
        .containsPattern("(?m)^  buildFinish TIME$")
        .containsPattern("Built 1 warehouse in TIME: [0-9,]+ rows, [0-9]+ MB with indexes\n")
        .endsWith("Next: java -jar driver.jar run " + PROPS + " seed 7\n")
        .doesNotContain("create table", "Loading Warehouse", Postgres.PASSWORD);
    assertThat(build.out().split("100%", -1)).as("one line at 100 %%").hasSize(2);
    workspace.run("verify", PROPS).succeeded();
    Finished again = workspace.run("build", PROPS);
    again.failedWithOneLine(1, "holds a complete load of 1 warehouse already", "destroy it");
    assertThat(again.out()).isEmpty();

    workspace.run("destroy", PROPS).succeeded();
    assertThat(
            Postgres.number(
                database,
                "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"))
        .isZero();
    assertThat(
            Postgres.number(
                database,
                "SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace"))
        .isZero();
    Postgres.drop(database);
  }

  @Test
  void exportsCsvFilesThatTableCopiesImports() throws Exception {
    String database = Postgres.newDatabase();
    Map<String, String> properties = Postgres.properties(database);
    properties.put("fileLocation", directory.resolve("csv") + "/");
    Files.createDirectory(directory.resolve("csv"));
    Workspace workspace = new Workspace(directory).properties(properties);
    workspace.run("load", PROPS).succeeded();
    properties.remove("fileLocation");
    workspace.properties(properties);

    workspace.run("sql", PROPS, "tableCreates").succeeded();
    // The server's own COPY needs rights that the benchmark's role does not have; its client's
    // form reads the same files.
    importByCopy(database);
    for (String step : new String[] {"indexCreates", "foreignKeys", "extraHistID", "buildFinish"}) {
      workspace.run("sql", PROPS, step).succeeded();
    }

    workspace.run("verify", PROPS).succeeded();
    Postgres.drop(database);
  }

  private void importByCopy(String database) throws Exception {
    String script = Files.readString(Workspace.root().resolve("sql/sql.postgres/tableCopies.sql"));
    try (Connection connection = Postgres.connect(database)) {
      var copies = connection.unwrap(org.postgresql.PGConnection.class).getCopyAPI();
      for (String part : script.replaceAll("(?m)^--.*$", "").split(";", -1)) {
        String statement = part.strip();
        if (!statement.isEmpty()) {
          String file = statement.replaceAll("(?s).*'/tmp/csv/([^']+)'.*", "$1");
          try (var in = Files.newInputStream(directory.resolve("csv").resolve(file))) {
            assertThat(copies.copyIn(statement.replaceAll("'/tmp/csv/[^']+'", "stdin"), in))
                .as("rows of %s", file)
                .isPositive();
          }
        }
      }
    }
  }

  @Test
  void scriptsInTheWorkingDirectoryReplaceTheBuiltInOnes() throws Exception {
    String database = Postgres.newDatabase();
    Path folder = Files.createDirectory(directory.resolve("sql.postgres"));
    Files.writeString(folder.resolve("tableCreates.sql"), "create table our_own (a integer);\n");
    Workspace workspace = new Workspace(directory).properties(Postgres.properties(database));

    Finished run = workspace.run("sql", PROPS, "tableCreates").succeeded();

    assertThat(run.out()).contains("# Loading SQL file ./sql.postgres/tableCreates.sql");
    assertThat(Postgres.number(database, "SELECT count(*) FROM our_own")).isZero();
    Postgres.drop(database);
  }

  @Test
  void embeddedServerKeepsItsDataAndLeavesNoProcess() throws Exception {
    Path data = directory.resolve("pg");
    Map<String, String> properties =
        Postgres.bankProperties("embedded:postgres?fsync=off&memory=1GB&data=" + data);
    Workspace workspace = new Workspace(directory).properties(properties);

    workspace.run("build", PROPS).succeeded();
    workspace.run("run", PROPS).succeeded();
    workspace.run("verify", PROPS).succeeded();
    workspace.run("run", PROPS).failedWithOneLine(1, "result", "exists already");

    assertThat(workspace.result("result").assertWhole().ending()).isEqualTo("completed");
    List<ProcessHandle> left;
    try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
      left =
          processes
              .filter(process -> process.info().commandLine().orElse("").contains(data.toString()))
              .toList();
    }
    awaitEnd(left);
  }

  /** The supervisor of a server ends a moment after the server. */
  private static void awaitEnd(Collection<ProcessHandle> processes) throws Exception {
    for (ProcessHandle process : processes) {
      process.onExit().get(DriverProcess.PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Nothing is to be built first, whatever the server keeps. */
  @Test
  void sqlOfTheUsersOwnRunsOnAServerThatStartsWithIt() throws Exception {
    Map<String, String> properties =
        Postgres.properties("postgres", "embedded:postgres?fsync=off&memory=1GB");
    properties.keySet().removeIf(key -> key.matches("warehouses|terminalWarehouse.*|.*Weight"));
    properties.put("workload", "script:one.sql");
    Files.writeString(directory.resolve("one.sql"), "SELECT 1;\n");
    Workspace workspace = new Workspace(directory).properties(properties);

    workspace.run(PROPS).succeeded();

    assertThat(workspace.result("result").assertWhole().errors("")).isZero();
  }

  /** As config/props.demo does it: servers, proxy, build, run and verify in one command. */
  @Test
  void wholeRoundOverShardsThatStartWithItAndLeaveNothing() throws Exception {
    Map<String, String> properties =
        Postgres.properties("postgres", "embedded:sharded?shards=2&fsync=off&memory=1GB");
    properties.put("warehouses", "2");
    properties.put("newOrderRemotePercent", "50");
    properties.put("paymentRemotePercent", "50");
    Workspace workspace = new Workspace(directory).properties(properties);

    Finished round;
    List<ProcessHandle> started;
    try (DriverProcess driver = workspace.start(PROPS)) {
      driver.awaitOutput("storedProcedureCreates");
      try (Stream<ProcessHandle> processes =
          ProcessHandle.of(driver.pid()).orElseThrow().descendants()) {
        started = processes.toList();
      }
      round = driver.await().succeeded();
    }

    assertThat(started).as("supervisors, two servers, the proxy").hasSizeGreaterThan(4);
    awaitEnd(started);
    assertThat(round.out())
        .containsPattern("Term-00, Transaction Count = 100\n")
        .containsPattern(", +distributed +[1-9]")
        .contains(" pass, 0 fail");
    ResultFiles result = workspace.result("result").assertWhole();
    assertThat(result.errors("")).isZero();
    assertThat(result.summary().path("serverProcesses"))
        .extracting(node -> node.path("role").asText() + " " + node.path("program").asText())
        .containsExactly("proxy java", "shard postgres", "shard postgres");
    assertThat(result.summary().path("serverProcesses"))
        .allSatisfy(node -> assertThat(node.has("userSeconds")).isTrue());
  }

  /** Whoever has the port would take our connections, and our password, for its own. */
  @Test
  void aStrangerOnThePortOfTheEmbeddedProxyIsNotTakenForIt() throws Exception {
    try (ServerSocket stranger = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      int port = stranger.getLocalPort();
      String conn = "embedded:sharded?shards=1&fsync=off&memory=256MB&port=" + port;
      Path temporary = Files.createDirectory(directory.resolve("tmp"));
      // Another user, who runs the server for root, must be able to pass.
      assertThat(directory.toFile().setExecutable(true, false)).isTrue();
      Workspace workspace =
          new Workspace(directory).properties(Postgres.properties("postgres", conn));
      List<String> command = Workspace.java(Workspace.jar(), "-Djava.io.tmpdir=" + temporary);
      command.addAll(List.of("build", PROPS));
      try (DriverProcess process = workspace.startCommand(command, Map.of())) {
        process
            .await()
            .failedWithOneLine(1, "the sharding proxy did not start", port + " cannot be bound");
      }
      try (Stream<Path> left = Files.list(temporary)) {
        assertThat(left.filter(path -> path.getFileName().toString().contains("proxy"))).isEmpty();
      }
    }
  }

  @Test
  void failureWithATemporaryEmbeddedServerLeavesNothing() throws Exception {
    Path temporary = Files.createDirectory(directory.resolve("tmp"));
    // Another user, who runs the server for root, must be able to pass.
    assertThat(directory.toFile().setExecutable(true, false)).isTrue();
    Workspace workspace =
        new Workspace(directory)
            .properties(Postgres.properties("postgres", "embedded:postgres?memory=1GB"));

    List<String> command = Workspace.java(Workspace.jar(), "-Djava.io.tmpdir=" + temporary);
    command.addAll(List.of("run", PROPS));
    try (DriverProcess process = workspace.startCommand(command, Map.of())) {
      process.await().failedWithOneLine(1, "bmsql_config");
    }

    // What watches the server ends a moment after the driver.
    await("files of the server")
        .atMost(DriverProcess.PATIENCE)
        .ignoreExceptionsInstanceOf(UncheckedIOException.class)
        .until(() -> serverFiles(temporary), List::isEmpty);
    assertThat(directory.resolve("result")).doesNotExist();
  }

  private static List<Path> serverFiles(Path temporary) throws IOException {
    try (Stream<Path> left = Files.walk(temporary)) {
      return left.filter(path -> path.toString().contains("pgdata") || path.endsWith("data"))
          .toList();
    }
  }
}
