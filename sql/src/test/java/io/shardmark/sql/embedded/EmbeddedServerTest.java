package io.shardmark.sql.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Secret;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedServerTest {
  private static final String USER = "benchmarksql";
  private static final Secret PASSWORD = new Secret("PWbmsql'\"\\");

  private final List<String> progress = new ArrayList<>();
  @TempDir private Path directory;

  @Test
  void takesTheGivenPasswordAndNoOther() throws SQLException {
    try (EmbeddedServer server = start("?memory=64MB")) {
      assertThat(query(server, "SELECT current_user || ' ' || current_database()"))
          .isEqualTo("benchmarksql tpcc");
      assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl(), USER, "wrong"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
    }
  }

  @Test
  void restartsAfterAKillWithWhatWasCommitted() throws SQLException {
    try (EmbeddedServer server = start("?memory=64MB")) {
      execute(server, "CREATE TABLE kept (id int)");
      execute(server, "INSERT INTO kept VALUES (42)");
      long killed = server.pid();
      int port = server.port();
      server.killHard();
      assertThat(ProcessHandle.of(killed).map(ProcessHandle::isAlive).orElse(false)).isFalse();
      assertThatThrownBy(() -> query(server, "SELECT 1")).isInstanceOf(SQLException.class);
      server.restart();
      assertThat(server.port()).isEqualTo(port);
      assertThat(server.pid()).isNotEqualTo(killed);
      assertThat(query(server, "SELECT id FROM kept")).isEqualTo("42");
    }
  }

  /** A checkpoint that is spread over checkpoint_timeout would make a run end before its backup. */
  @Test
  void aBackupDoesNotWaitForATimedCheckpoint() throws Exception {
    try (EmbeddedServer server = start("?memory=64MB")) {
      server.part("server").backup().orElseThrow().run();
      assertThat(Files.readString(server.dataDirectory().resolveSibling("server.log")))
          .containsPattern("checkpoint starting: (immediate|fast) force wait");
    }
  }

  @Test
  void usesAKeptDirectoryAgainWithANewPassword() throws SQLException {
    String options = "?memory=64MB&data=" + directory.resolve("kept");
    try (EmbeddedServer server = start(options)) {
      execute(server, "CREATE TABLE kept AS SELECT 7 AS id");
    }
    assertThat(directory.resolve("kept/cluster/PG_VERSION")).exists();
    Secret newPassword = new Secret("changed");
    try (EmbeddedServer server =
            EmbeddedServer.start(
                "embedded:postgres" + options, USER, newPassword, "tpcc", 5, progress::add);
        Connection connection =
            DriverManager.getConnection(server.jdbcUrl(), USER, newPassword.value());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM kept")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getInt(1)).isEqualTo(7);
    }
    assertThat(progress).filteredOn(line -> line.startsWith("Creating")).hasSize(1);
  }

  @Test
  void dropsItsFilesOnClose() {
    EmbeddedServer server = start("?memory=64MB");
    Path data = server.dataDirectory();
    assertThat(data).isDirectory();
    long pid = server.pid();
    server.close();
    server.close();
    assertThat(data.getParent()).doesNotExist();
    assertThat(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)).isFalse();
  }

  @Test
  void dropsANamedDirectoryWithKeepFalse() {
    Path data = directory.resolve("dropped");
    start("?memory=64MB&keep=false&data=" + data).close();
    assertThat(data).doesNotExist();
  }

  @Test
  void twoServersRunSideBySide() throws SQLException {
    try (EmbeddedServer first = start("?memory=64MB");
        EmbeddedServer second = start("?memory=64MB")) {
      assertThat(first.port()).isNotEqualTo(second.port());
      execute(first, "CREATE TABLE only_here (id int)");
      assertThat(query(second, "SELECT count(*) FROM pg_tables WHERE tablename = 'only_here'"))
          .isEqualTo("0");
    }
  }

  @Test
  void refusesADirectoryInUse() {
    String options = "?memory=64MB&data=" + directory.resolve("busy");
    try (EmbeddedServer server = start(options)) {
      assertThatThrownBy(() -> start(options))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("is in use by another run");
      assertThat(server.isRunning()).isTrue();
    }
  }

  @Test
  void refusesADirectoryOfSomethingElse() throws IOException {
    Files.writeString(directory.resolve("letter.txt"), "mine");
    assertThatThrownBy(() -> start("?data=" + directory))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("holds other files");
    assertThat(directory.resolve("letter.txt")).hasContent("mine");
  }

  @Test
  void listensOnLoopbackOnlyAndTakesSettings() throws SQLException {
    try (EmbeddedServer server =
        start(
            "?memory=64MB&connections=30&fsync=off&set.work_mem=5MB&set.application_name=it's"
                + "&set.scram_iterations=7")) {
      assertThat(passwordHash(server)).startsWith("SCRAM-SHA-256$7:");
      assertThat(query(server, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(query(server, "SHOW unix_socket_directories")).isEmpty();
      assertThat(query(server, "SHOW fsync")).isEqualTo("off");
      assertThat(query(server, "SHOW work_mem")).isEqualTo("5MB");
      assertThat(Integer.parseInt(query(server, "SHOW max_connections"))).isGreaterThan(30);
      assertThat(Integer.parseInt(query(server, "SHOW max_prepared_transactions"))).isPositive();
      assertThat(query(server, "SELECT reset_val FROM pg_settings WHERE name = 'fsync'"))
          .isEqualTo("off");
      assertThat(query(server, "SHOW server_encoding")).isEqualTo("UTF8");
      assertThat(
              query(
                  server, "SELECT datcollate FROM pg_database WHERE datname = current_database()"))
          .isEqualTo("C");
      assertThat(query(server, "SELECT rolsuper::text FROM pg_roles WHERE rolname = current_user"))
          .isEqualTo("false");
    }
  }

  @Test
  void namesASettingThatPostgresDoesNotKnow() {
    assertThatThrownBy(() -> start("?memory=64MB&set.shared_bufers=1GB"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("PostgreSQL did not start")
        .hasMessageContaining("shared_bufers");
  }

  @Test
  void namesAPortThatIsTaken() {
    try (EmbeddedServer server = start("?memory=64MB")) {
      assertThatThrownBy(() -> start("?memory=64MB&port=" + server.port()))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("could not bind");
    }
  }

  /** Starts a server in a JVM of its own, which is killed then. */
  private void abandon(String options, Abandoned then) throws Exception {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                AbandonedServer.class.getName(),
                options)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = jvm.inputReader()) {
      ProcessHandle server = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
      Path data = Path.of(output.readLine());
      assertThat(server.isAlive()).isTrue();
      then.goesOn(jvm, server, data);
    } finally {
      jvm.destroyForcibly();
    }
  }

  private interface Abandoned {
    void goesOn(Process jvm, ProcessHandle server, Path data) throws Exception;
  }

  @Test
  void endsWhenItsJvmIsKilled() throws Exception {
    abandon(
        "?memory=64MB",
        (jvm, server, data) -> {
          jvm.destroyForcibly().waitFor();
          server.onExit().get(4, TimeUnit.MINUTES);
          Path home = data.resolve("..").normalize();
          await(home + " is gone").atMost(Duration.ofMinutes(4)).until(() -> Files.notExists(home));
        });
  }

  /** As within an event that stops a server for a time. */
  @Test
  void endsWhenItsJvmIsKilledWhileItIsStopped() throws Exception {
    abandon(
        "?memory=64MB&data=" + directory.resolve("frozen"),
        (jvm, server, data) -> {
          Supervisor.signal("STOP", Stream.of(server));
          Supervisor.signal("STOP", server.children());
          jvm.destroyForcibly().waitFor();
          server.onExit().get(4, TimeUnit.MINUTES);
        });
  }

  /** Each of its processes would be waited for to the limit, one after the other. */
  @Test
  @Timeout(60)
  void isKilledWhileItIsStopped() {
    try (EmbeddedServer server = start("?memory=64MB")) {
      List<ProcessHandle> children =
          ProcessHandle.of(server.pid()).orElseThrow().children().toList();
      assertThat(children).hasSizeGreaterThan(2);
      EmbeddedPart part = server.parts().get(0);
      part.pause().run();
      part.kill().run();
      assertThat(children).noneMatch(ProcessHandle::isAlive);
    }
  }

  private EmbeddedServer start(String options) {
    return EmbeddedServer.start(
        "embedded:postgres" + options, USER, PASSWORD, "tpcc", 5, progress::add);
  }

  private static String passwordHash(EmbeddedServer server) throws SQLException {
    try (Connection connection = server.openAsAdministrator()) {
      return query(connection, "SELECT rolpassword FROM pg_authid WHERE rolname = '" + USER + "'");
    }
  }

  private static String query(EmbeddedServer server, String sql) throws SQLException {
    try (Connection connection = connect(server)) {
      return query(connection, sql);
    }
  }

  private static String query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  private static void execute(EmbeddedServer server, String sql) throws SQLException {
    try (Connection connection = connect(server);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Connection connect(EmbeddedServer server) throws SQLException {
    return DriverManager.getConnection(server.jdbcUrl(), USER, PASSWORD.value());
  }
}
