package io.shardmark.driver.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A server of the oldest PostgreSQL that Debian's packages put on this machine, run as their user
 * {@code postgres}: another version than the embedded one.
 */
public final class DebianPostgres implements AutoCloseable {
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

  private final Path directory;
  private final Path binaries;
  private final int port;

  private DebianPostgres(Path directory, Path binaries, int port) {
    this.directory = directory;
    this.binaries = binaries;
    this.port = port;
  }

  /** Whether the packages are there and we may run programs as their user. */
  public static boolean isAvailable() {
    return Files.isDirectory(VERSIONS)
        && System.getProperty("user.name").equals("root")
        && Files.isExecutable(Path.of("/usr/sbin/runuser"));
  }

  /** Starts a server; returns when it accepts connections. */
  public static DebianPostgres start() throws IOException, InterruptedException {
    Path binaries;
    try (Stream<Path> versions = Files.list(VERSIONS)) {
      binaries = versions.sorted().findFirst().orElseThrow().resolve("bin");
    }
    Path directory = Files.createTempDirectory("debian-postgres");
    run(List.of("chown", "postgres", directory.toString()), directory);
    int port = FreePort.find();
    DebianPostgres server = new DebianPostgres(directory, binaries, port);
    server.asPostgres("initdb", "-A", "trust", "-D", server.data(), "--no-sync");
    server.asPostgres(
        "pg_ctl",
        "-w",
        "-t",
        "240",
        "-D",
        server.data(),
        "-l",
        directory.resolve("log").toString(),
        "-o",
        "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off",
        "start");
    return server;
  }

  private String data() {
    return directory.resolve("data").toString();
  }

  private void asPostgres(String program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("runuser", "-u", "postgres", "--", binaries.resolve(program).toString()));
    command.addAll(List.of(arguments));
    run(command, directory);
  }

  private static void run(List<String> command, Path directory)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException("exit status " + status + " of " + command);
    }
  }

  /** A connection of the superuser. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres");
  }

  @Override
  public void close() {
    try {
      asPostgres("pg_ctl", "-w", "-D", data(), "-m", "immediate", "stop");
      try (Stream<Path> paths = Files.walk(directory)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
