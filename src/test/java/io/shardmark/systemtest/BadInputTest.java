package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.servers.FreePort;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A user's mistakes: one clear line, the right status, and nothing half-written. */
final class BadInputTest {
  private static final String PROPS = Workspace.PROPERTIES;

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static String database;

  @TempDir private Path directory;

  @BeforeAll
  static void load() throws SQLException {
    database = Postgres.loadedDatabase();
  }

  @AfterAll
  static void drop() throws SQLException {
    Postgres.drop(database);
  }

  /** One run with a key changed, of which nothing may remain. */
  private Finished run(String key, String value) throws IOException, InterruptedException {
    Map<String, String> properties = Postgres.properties(database);
    properties.put(key, value);
    Finished finished = new Workspace(directory).properties(properties).run("run", PROPS);
    assertThat(directory.resolve("result")).doesNotExist();
    assertThat(finished.all()).doesNotContain(Postgres.PASSWORD);
    return finished;
  }

  @Test
  void propertiesFileThatIsNotThere() throws Exception {
    for (String verb : new String[] {"run", "build", "load", "destroy", "verify"}) {
      new Workspace(directory).run(verb, "props.nowhere").failedWithOneLine(1, "props.nowhere");
    }
    new Workspace(directory).run("props.nowhere").failedWithOneLine(1, "props.nowhere");
  }

  @ParameterizedTest
  @CsvSource({
    "password, not-this-one, password authentication failed",
    "warehouses, 2, warehouses",
    "paymentWeight, 90, Weight",
    "db, informix, informix",
    "driver, org.nowhere.Driver, org.nowhere.Driver",
    "terminals, many, terminals",
    "runMins, 1, runTxnsPerTerminal",
    "resultDirectory, nowhere/result, nowhere/result",
    "conn, postgres://localhost/x, conn",
  })
  void valueThatCannotBeUsed(String key, String value, String expected) throws Exception {
    run(key, value).failedWithOneLine(1, expected);
  }

  @Test
  void serverThatIsDown() throws Exception {
    int port = FreePort.find();
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    run("conn", url).failedWithOneLine(1, "127.0.0.1:" + port);
    for (String verb : new String[] {"build", "verify", "destroy"}) {
      new Workspace(directory).run(verb, PROPS).failedWithOneLine(1, "127.0.0.1:" + port);
    }
  }

  @Test
  void tablesThatAreNotThere() throws Exception {
    String empty = Postgres.newDatabase();
    run("conn", Postgres.url(empty)).failedWithOneLine(1, "bmsql_config");
    new Workspace(directory).run("load", PROPS).failedWithOneLine(1, "does not exist");
    new Workspace(directory).run("verify", PROPS).failedWithOneLine(1, "bmsql_config");
    Postgres.drop(empty);
  }

  @Test
  void proceduresThatAreNotInstalled() throws Exception {
    String copy = Postgres.loadedDatabase();
    Workspace workspace = new Workspace(directory).properties(Postgres.properties(copy));
    workspace.run("sql", PROPS, "storedProcedureDrops").succeeded();
    Map<String, String> properties = Postgres.properties(copy);
    properties.put("statementProfile", "procedures");

    workspace
        .properties(properties)
        .run("run", PROPS)
        .failedWithOneLine(1, "storedProcedureCreates");
    assertThat(directory.resolve("result")).doesNotExist();
    Postgres.drop(copy);
  }

  @Test
  void resultDirectoryThatExists() throws Exception {
    Files.createDirectory(directory.resolve("taken"));
    run("resultDirectory", "taken").failedWithOneLine(1, "taken", "exists already");
    assertThat(directory.resolve("taken")).isEmptyDirectory();
  }

  @Test
  void statementThatFailsStopsTheBuild() throws Exception {
    String empty = Postgres.newDatabase();
    Path folder = Files.createDirectory(directory.resolve("sql.postgres"));
    Files.writeString(
        folder.resolve("tableCreates.sql"),
        "create table a (b nonsense);\ncreate table c (d int);\n");
    Workspace workspace = new Workspace(directory).properties(Postgres.properties(empty));

    workspace.run("build", PROPS).failedWithOneLine(1, "tableCreates.sql line 1", "nonsense");
    workspace.run("sql", PROPS, "noSuchStep").failedWithOneLine(1, "noSuchStep");
    Postgres.drop(empty);
  }

  @ParameterizedTest
  @CsvSource({"--nonsense", "sql", "build"})
  void argumentsThatCannotBeUnderstood(String argument) throws Exception {
    Finished finished = new Workspace(directory).run(argument).failedWithOneLine(2, "help");
    assertThat(finished.out()).isEmpty();
  }

  @Test
  void misspeltKeyIsNamedAndTheRunGoesOn() throws Exception {
    Map<String, String> properties = Postgres.properties(database);
    properties.put("terminalWarehouseFixd", "true");
    properties.put("runTxnsPerTerminal", "5");
    Finished finished =
        new Workspace(directory).properties(properties).run("run", PROPS).succeeded();
    assertThat(finished.all()).contains("terminalWarehouseFixd", "terminalWarehouseFixed");
  }

  /** The files end at a whole row, the figures are printed, and the status says that it failed. */
  @Test
  void diskThatIsFull() throws Exception {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    assumeTrue(
        succeeds("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk.toString()),
        "needs the right to mount a small tmpfs");
    try {
      Map<String, String> properties = Postgres.properties("postgres", "null:");
      properties.put("resultDirectory", "disk/result");
      properties.put("runTxnsPerTerminal", "20000");
      Finished finished =
          new Workspace(directory).properties(properties).run("run", PROPS).withoutTrace();

      assertThat(finished.status()).as(finished.all()).isEqualTo(1);
      assertThat(finished.all()).contains("No space left on device");
      assertThat(finished.out()).containsPattern("Transaction Count = 40000\n");
      new ResultFiles(disk.resolve("result")).assertTablesWhole();
    } finally {
      assertThat(succeeds("umount", disk.toString())).isTrue();
    }
  }

  private static boolean succeeds(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
  }
}
