package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mistakes that only a process or a disk shows: one clear line, the right status, and nothing
 * half-written. {@link BadInputTableTest} has all others.
 */
final class BadInputTest {
  private static final String PROPS = Workspace.PROPERTIES;

  @TempDir private Path directory;

  @Test
  void passwordThatIsWrong() throws Exception {
    Map<String, String> properties = Postgres.bankProperties(Postgres.url(Postgres.USER));
    properties.put("password", "not-this-one");
    new Workspace(directory)
        .properties(properties)
        .run("run", PROPS)
        .failedWithOneLine(1, "password authentication failed");
    assertThat(directory.resolve("result")).doesNotExist();
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
    Postgres.drop(empty);
  }

  @Test
  void optionThatIsNone() throws Exception {
    Finished finished = new Workspace(directory).run("--nonsense").failedWithOneLine(2, "help");
    assertThat(finished.out()).isEmpty();
  }

  @Test
  void misspeltKeyIsNamedAndTheRunGoesOn() throws Exception {
    Map<String, String> properties = Postgres.properties("postgres", "null:");
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
