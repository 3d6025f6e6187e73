package io.shardmark.systemtest;

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
final class PrivateMariaDb implements AutoCloseable {
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
  static boolean isInstalled() {
    return Files.isExecutable(SERVER) && Files.isExecutable(INSTALL);
  }

  /** Starts a server with an empty database {@code bench} for {@link Postgres#USER}. */
  static PrivateMariaDb start() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("mariadb");
    String user = System.getProperty("user.name");
    install(directory, user);
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
                "--user=" + user)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.log").toFile())
            .start();
    PrivateMariaDb server = new PrivateMariaDb(directory, process, port);
    server.awaitAndCreate();
    return server;
  }

  String url() {
    return "jdbc:mariadb://127.0.0.1:" + port + "/bench";
  }

  private void awaitAndCreate() throws InterruptedException, IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (true) {
      try (Connection connection =
          DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/?user=root")) {
        connection.createStatement().execute("CREATE DATABASE bench");
        connection
            .createStatement()
            .execute(
                "GRANT ALL ON bench.* TO '%s'@'%%' IDENTIFIED BY '%s'"
                    .formatted(Postgres.USER, Postgres.PASSWORD));
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

  private static void install(Path directory, String user)
      throws IOException, InterruptedException {
    Path log = directory.resolve("install.log");
    List<String> command =
        List.of(
            INSTALL.toString(),
            "--no-defaults",
            "--datadir=" + directory.resolve("data"),
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            "--user=" + user);
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
