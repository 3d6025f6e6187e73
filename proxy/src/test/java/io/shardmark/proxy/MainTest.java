package io.shardmark.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as a process of its own. */
final class MainTest {
  private static final Pattern LISTENING =
      Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+), 2 shards");
  private static final long PATIENCE_SECONDS = 60;

  @TempDir private Path directory;

  private Path file(String yaml) throws IOException {
    return Files.writeString(directory.resolve("proxy.yaml"), yaml);
  }

  private Process start(Object... arguments) throws IOException {
    List<String> command = ProxyProgram.command();
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String output(Process process) throws IOException, InterruptedException {
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    return text;
  }

  @Test
  void aFaultyFileIsOneLineAndStatusOne() throws IOException, InterruptedException {
    Process process = start(file("shards: []\n"));

    assertThat(output(process)).isEqualTo("proxy.yaml: shards: 0 shards; expected 1 to 1024\n");
    assertThat(process.exitValue()).isEqualTo(1);
  }

  @Test
  void aFaultyCommandLineIsStatusTwo() throws IOException, InterruptedException {
    Process process = start("--chekc");

    assertThat(output(process)).contains("Usage: ");
    assertThat(process.exitValue()).isEqualTo(2);
  }

  @Test
  void checkTellsProblemsByItsStatus() throws Exception {
    TwoShards shards = TwoShards.create();
    Process good = start("--check", file(shards.yaml()));
    assertThat(output(good)).isEqualTo("no problem found on 2 shards, 0 tables\n");
    assertThat(good.exitValue()).isZero();

    shards.execute(0, "create table lonely (a integer)");
    Process bad = start("--check", file(shards.yaml()));
    assertThat(output(bad))
        .isEqualTo(
            """
            problem: public.lonely is on shard s1 only; statements on it are refused
            1 problems found
            """);
    assertThat(bad.exitValue()).isEqualTo(1);
  }

  @Test
  void servesUntilItIsToldToEnd() throws Exception {
    TwoShards shards = TwoShards.create();
    String yaml =
        shards.yaml() + "listen: 127.0.0.1:0\ndatabases: [any]\nadmin_users: [postgres]\n";
    Process process = start(file(yaml));
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      int port = portOf(lines);
      try (Connection connection = connect(port, "any");
          Statement statement = connection.createStatement()) {
        statement.execute("create table t (a integer)");
        statement.execute("insert into t values (7)");
      }
      for (int shard = 0; shard < 2; shard++) {
        try (Connection connection = shards.connect(shard);
            Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery("select a from t")) {
          assertThat(row.next()).isTrue();
          assertThat(row.getInt(1)).isEqualTo(7);
        }
      }
      try (Connection connection = connect(port, "shardmark?preferQueryMode=simple");
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("show shards")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString("name")).isEqualTo("s1");
        assertThat(row.getString("state")).isEqualTo("up");
      }
      // Process.destroy would close the stream that is read here.
      assertThat(process.toHandle().destroy()).isTrue();
      assertThat(lines.lines().toList()).anyMatch(line -> line.endsWith("drained"));
    } finally {
      process.destroy();
    }
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  private static int portOf(BufferedReader lines) throws IOException {
    List<String> seen = new ArrayList<>();
    String line = lines.readLine();
    while (line != null) {
      Matcher listening = LISTENING.matcher(line);
      if (listening.matches()) {
        return Integer.parseInt(listening.group(1));
      }
      seen.add(line);
      line = lines.readLine();
    }
    throw new AssertionError("it ended before it listened: " + seen);
  }

  private static Connection connect(int port, String database) throws java.sql.SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/" + database, "postgres", "postgres");
  }
}
