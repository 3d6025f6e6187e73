package io.shardmark.driver.servers;

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

/** A MariaDB server from the machine's packages, in a directory of its own. */
public final class PrivateMariaDb implements AutoCloseable {
  private static final Path SERVER = Path.of("/usr/sbin/mariadbd");
  private static final Path INSTALL = Path.of("/usr/bin/mariadb-install-db");
  private static final long START_SECONDS = 240;

  private final Path directory;
  private final Process process;
  private final String url;

  private PrivateMariaDb(Path directory, Process process, String url) {
    this.directory = directory;
    this.process = process;
    this.url = url;
  }

  /** Whether MariaDB's server is installed on this machine. */
  public static boolean isInstalled() {
    return Files.isExecutable(SERVER) && Files.isExecutable(INSTALL);
  }

  /** Starts a server with the empty database {@code bench}; returns when it accepts connections. */
  public static PrivateMariaDb start() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("mariadb");
    String user = System.getProperty("user.name");
    run(
        directory,
        INSTALL.toString(),
        "--no-defaults",
        "--datadir=" + directory.resolve("data"),
        "--auth-root-authentication-method=normal",
        "--skip-test-db",
        "--user=" + user);
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
                "--user=" + user)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.log").toFile())
            .start();
    String base = "jdbc:mariadb://127.0.0.1:" + port + "/";
    PrivateMariaDb server = new PrivateMariaDb(directory, process, base + "bench?user=root");
    server.awaitAndCreate(base + "?user=root");
    return server;
  }

  private void awaitAndCreate(String rootUrl) throws InterruptedException, IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (true) {
      try (Connection connection = DriverManager.getConnection(rootUrl)) {
        connection.createStatement().execute("CREATE DATABASE bench");
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

  /** A connection of the user root to the database {@code bench}. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
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
    deleteTree(directory);
  }

  private static void run(Path directory, String... command)
      throws IOException, InterruptedException {
    Path log = directory.resolve("install.log");
    Process process =
        new ProcessBuilder(List.of(command))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (process.waitFor() != 0) {
      throw new IOException(command[0] + " failed: " + Files.readString(log));
    }
  }

  private static void deleteTree(Path root) {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
