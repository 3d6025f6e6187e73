package io.shardmark.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.IsolationLevel;
import io.shardmark.config.Secret;
import io.shardmark.config.ShardMapUse;
import io.shardmark.sql.embedded.EmbeddedServer;
import java.io.StringReader;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** PostgreSQL by its Unix-domain socket, through pgjdbc. */
final class UnixSocketTest {
  private static final String PASSWORD = "secret";

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static Path directory;

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static EmbeddedServer server;

  @BeforeAll
  static void start() throws Exception {
    // A path of at most some 100 bytes, in which the server's user may write.
    directory = Files.createTempDirectory(Path.of("/tmp"), "shardmark-socket-");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    server =
        EmbeddedServer.start(
            "embedded:postgres?fsync=off&set.unix_socket_directories=" + directory,
            "bench",
            new Secret(PASSWORD),
            "bench",
            10,
            line -> {});
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    Files.deleteIfExists(directory);
  }

  private static ConnectionConfig config(String path) {
    return new ConnectionConfig(
        DatabaseKind.POSTGRES,
        "org.postgresql.Driver",
        // Nobody listens there: only the socket counts.
        "jdbc:postgresql://127.0.0.1:1/bench?unixSocket=" + path,
        "bench",
        new Secret(PASSWORD),
        Duration.ofSeconds(30),
        Duration.ZERO,
        IsolationLevel.DEFAULT,
        ShardMapUse.AUTO);
  }

  private static String path() {
    return directory.resolve(".s.PGSQL." + server.port()).toString();
  }

  private static Connection open() {
    return DatabaseConnections.of(config(path())).open();
  }

  @Test
  void theServerSeesNoAddress() throws SQLException {
    try (Connection connection = open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT inet_client_addr() IS NULL")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getBoolean(1)).isTrue();
    }
  }

  @Test
  void carriesLongValuesBothWays() throws SQLException {
    String text = "0123456789".repeat(100_000);
    try (Connection connection = open();
        var statement = connection.prepareStatement("SELECT ? || 'x'")) {
      statement.setString(1, text);
      try (ResultSet row = statement.executeQuery()) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString(1)).isEqualTo(text + "x");
      }
    }
  }

  @Test
  void copiesForMoreThanASecondWhilePgjdbcLooksForErrors() throws Exception {
    try (Connection connection = open();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TEMP TABLE copied (text text)");
      long rows =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn("COPY copied FROM STDIN", new StringReader("0123456789\n".repeat(2_000_000)));
      assertThat(rows).isEqualTo(2_000_000);
    }
  }

  @Test
  void aReadEndsAfterItsTimeout() throws SQLException {
    try (Connection connection = open();
        Statement statement = connection.createStatement()) {
      connection.setNetworkTimeout(Runnable::run, 50);
      assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(60)"))
          .isInstanceOf(SQLException.class)
          .hasRootCauseInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void aStatementIsCancelledByTheSameWay() throws Exception {
    try (Connection connection = open();
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(60)"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("canceling statement");
    }
  }

  @Test
  void aPathWithoutASocketIsRefusedInOneLine() {
    assertThatThrownBy(() -> DatabaseConnections.of(config("/nowhere/.s.PGSQL.1")).open())
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "conn: option unixSocket is \"/nowhere/.s.PGSQL.1\", where there is no socket; expected the file of a running server's, such as /run/postgresql/.s.PGSQL.5432");
  }
}
