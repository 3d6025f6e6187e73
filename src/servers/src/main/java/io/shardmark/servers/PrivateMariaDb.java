package io.shardmark.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A MariaDB server from the machine's packages, with files and a port of its own. */
public final class PrivateMariaDb implements AutoCloseable {
  private static final Path SERVER = Path.of("/usr/sbin/mariadbd");
  private static final Path INSTALL = Path.of("/usr/bin/mariadb-install-db");
  private static final long START_SECONDS = 240;

  private final Path directory;
  private final Process process;
  private final int port;

  private PrivateMariaDb(Path directory, Process process, int port) {
    this.directory = directory;
    this.process = process;
    this.port = port;
  }

  /** Whether MariaDB's server is installed on this machine. */
  public static boolean isInstalled() {
    return Files.isExecutable(SERVER) && Files.isExecutable(INSTALL);
  }

  /** Starts a server with an empty database {@code bench} that a user may do everything in. */
  public static PrivateMariaDb start(String user, String password)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("mariadb");
    String account = System.getProperty("user.name");
    install(directory, account);
    int port = FreePort.find();
    Process process =
        new ProcessBuilder(
                SERVER.toString(),
                "--no-defaults",
                "--datadir=" + directory.resolve("data"),
                "--socket=" + directory.resolve("sock"),
                "--pid-file=" + directory.resolve("pid"),
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--innodb-flush-log-at-trx-commit=0",
                "--innodb-buffer-pool-size=512M",
                "--user=" + account)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.log").toFile())
            .start();
    PrivateMariaDb server = new PrivateMariaDb(directory, process, port);
    server.awaitAndCreate(user, password);
    return server;
  }

  public String url() {
    return "jdbc:mariadb://127.0.0.1:" + port + "/bench";
  }

  /** A connection of the user root, who has no password. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url(), "root", "");
  }

  private void awaitAndCreate(String user, String password)
      throws InterruptedException, IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (true) {
      try (Connection connection =
          DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/?user=root")) {
        connection.createStatement().execute("CREATE DATABASE bench");
        connection
            .createStatement()
            .execute(
                "GRANT ALL ON bench.* TO '%s'@'%%' IDENTIFIED BY '%s'".formatted(user, password));
        return;
      } catch (SQLException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          String log = Files.readString(directory.resolve("server.log"));
          close();
          throw new IOException("mariadbd does not start: " + log, e);
        }
        TimeUnit.MILLISECONDS.sleep(50); // polling a process that has no way to tell us
      }
    }
  }

  private static void install(Path directory, String account)
      throws IOException, InterruptedException {
    Path log = directory.resolve("install.log");
    List<String> command =
        List.of(
            INSTALL.toString(),
            "--no-defaults",
            "--datadir=" + directory.resolve("data"),
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            "--user=" + account);
    Process install =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (install.waitFor() != 0) {
      throw new IOException(INSTALL + " failed: " + Files.readString(log));
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
