package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Secret;
import io.shardmark.sql.embedded.EmbeddedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients and shards by Unix-domain sockets. */
final class UnixSocketsTest {
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
            "embedded:postgres?fsync=off&set.unix_socket_directories="
                + directory
                + "&set.max_prepared_transactions=20",
            "postgres",
            new Secret("postgres"),
            "bench",
            10,
            line -> {});
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    Files.deleteIfExists(directory);
  }

  private static Connection connect(Path socket) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", "postgres");
    properties.setProperty("password", "postgres");
    properties.setProperty("socketFactory", "io.shardmark.proxy.shards.FixedAddressSockets");
    properties.setProperty("socketFactoryArg", socket.toString());
    return DriverManager.getConnection("jdbc:postgresql://localhost/bench", properties);
  }

  private static Path socket(RunningProxy proxy) {
    return directory.resolve(".s.PGSQL." + proxy.port());
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "epoll", "nio"})
  void carryStatementsAndCancels(String transport) throws Exception {
    Path socket;
    try (RunningProxy proxy =
        RunningProxy.startAtSocket(
            directory,
            server.port(),
            "bench",
            "unix_socket_directory: " + directory,
            "event_loops: 2",
            "transport: " + transport)) {
      socket = socket(proxy);
      try (Connection first = connect(socket);
          Connection second = connect(socket);
          Statement statement = first.createStatement()) {
        try (ResultSet rows =
            statement.executeQuery("select inet_server_addr() is null, repeat('x', 1000000)")) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getBoolean(1)).as("the server was reached by its socket").isTrue();
          assertThat(rows.getString(2)).hasSize(1_000_000);
        }
        statement.setQueryTimeout(1);
        assertThatThrownBy(() -> statement.execute("select pg_sleep(600)"))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
        assertThat(second.isValid(5)).isTrue();
      }
    }
    assertThat(socket).as("the socket's file is removed").doesNotExist();
  }

  @Test
  void replaceTheFileThatAKilledProxyHasLeft() throws Exception {
    String key = "unix_socket_directory: " + directory;
    int port;
    try (RunningProxy proxy = RunningProxy.startAtSocket(directory, server.port(), "bench", key)) {
      port = proxy.port();
      assertThatThrownBy(
              () ->
                  RunningProxy.startAtSocket(
                      directory, server.port(), "bench", key, "listen: 127.0.0.1:" + port))
          .isInstanceOf(ConfigException.class);
    }
    try (var left =
        java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
      left.bind(java.net.UnixDomainSocketAddress.of(directory.resolve(".s.PGSQL." + port)));
    }
    try (RunningProxy proxy =
            RunningProxy.startAtSocket(
                directory, server.port(), "bench", key, "listen: 127.0.0.1:" + port);
        Connection connection = connect(socket(proxy))) {
      assertThat(connection.isValid(5)).isTrue();
    }
  }
}
