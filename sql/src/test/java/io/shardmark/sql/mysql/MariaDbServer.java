package io.shardmark.sql.mysql;

import static org.awaitility.Awaitility.await;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.IsolationLevel;
import io.shardmark.config.Secret;
import io.shardmark.config.ShardMapUse;
import io.shardmark.sql.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A private MariaDB server of the installed package, on a free port of 127.0.0.1, that ends when it
 * is closed. As root it runs as the package's user {@code mysql}.
 */
final class MariaDbServer implements AutoCloseable {
  static final Path MARIADBD = Path.of("/usr/sbin/mariadbd");
  private static final Duration START_TIMEOUT = Duration.ofMinutes(4);

  private final Process process;
  private final Path log;
  private final int port;

  MariaDbServer(Path directory) throws IOException, InterruptedException {
    Path data = directory.resolve("data");
    Files.createDirectories(data);
    log = directory.resolve("log");
    run(directory, List.of("chmod", "-R", "a+rwX", directory.toString()));
    List<String> user = isRoot() ? List.of("--user=mysql") : List.of();
    if (isRoot()) {
      run(directory, List.of("chown", "-R", "mysql", data.toString()));
    }
    List<String> install =
        new ArrayList<>(
            List.of(
                "mariadb-install-db",
                "--no-defaults",
                "--datadir=" + data,
                "--auth-root-authentication-method=normal"));
    install.addAll(user);
    run(directory, install);
    port = FreePort.find();
    List<String> command =
        new ArrayList<>(
            List.of(
                MARIADBD.toString(),
                "--no-defaults",
                "--datadir=" + data,
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + data.resolve("socket"),
                "--pid-file=" + data.resolve("pid")));
    command.addAll(user);
    process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static void run(Path directory, List<String> command)
      throws IOException, InterruptedException {
    Path output = directory.resolve("setup.log");
    Process setup =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .start();
    if (setup.waitFor() != 0) {
      throw new IOException(command + " failed: " + Files.readString(output));
    }
  }

  /** The configuration for the database {@code test}, as root. */
  ConnectionConfig config(Duration statementTimeout) {
    return new ConnectionConfig(
        DatabaseKind.MARIADB,
        "org.mariadb.jdbc.Driver",
        "jdbc:mariadb://127.0.0.1:" + port + "/test",
        "root",
        new Secret(""),
        START_TIMEOUT,
        statementTimeout,
        IsolationLevel.DEFAULT,
        ShardMapUse.AUTO);
  }

  /** Waits until the server answers. */
  void awaitStarted() throws IOException {
    await("MariaDB").atMost(START_TIMEOUT).until(() -> !process.isAlive() || answers());
    if (!process.isAlive()) {
      throw new IOException(
          "MariaDB does not start: " + Files.readString(log, StandardCharsets.UTF_8));
    }
  }

  private boolean answers() {
    try (Connection connection =
        DriverManager.getConnection(config(Duration.ZERO).url(), "root", "")) {
      return !connection.isClosed();
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().orTimeout(4, TimeUnit.MINUTES).join();
  }
}
