package io.shardmark.servers;

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
 * {@code postgres}, with passwords, on files of its own. It can be killed and started again.
 */
public final class DebianPostgres implements AutoCloseable {
  public static final String NOT_THERE = "needs Debian's postgresql packages and root";

  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
  private static final String SUPERUSER = "postgres";
  private static final int START_ATTEMPTS = 20;
  private static final String START_SECONDS = "240";

  private final Path directory;
  private final Path binaries;
  private final int port;
  private final String user;
  private final String password;
  private final String settings;

  private DebianPostgres(
      Path directory,
      Path binaries,
      int port,
      String user,
      String password,
      List<String> settings) {
    this.directory = directory;
    this.binaries = binaries;
    this.port = port;
    this.user = user;
    this.password = password;
    StringBuilder options = new StringBuilder();
    settings.forEach(setting -> options.append(" -c ").append(setting));
    this.settings = options.toString();
  }

  /** Whether the packages are there and we may run programs as their user. */
  public static boolean isAvailable() {
    return Files.isDirectory(VERSIONS)
        && System.getProperty("user.name").equals("root")
        && Files.isExecutable(Path.of("/usr/sbin/runuser"));
  }

  /**
   * Starts a server with an empty database {@code bench} that belongs to a user.
   *
   * @param password also the superuser's
   * @param settings {@code name=value} of postgresql.conf
   */
  public static DebianPostgres start(String user, String password, String... settings)
      throws IOException, InterruptedException, SQLException {
    return start(binaries(), user, password, settings);
  }

  /**
   * The same, of another version.
   *
   * @param binaries a directory with {@code initdb}, {@code pg_ctl} and {@code postgres} that every
   *     user can read
   */
  public static DebianPostgres start(
      Path binaries, String user, String password, String... settings)
      throws IOException, InterruptedException, SQLException {
    Path directory = Files.createTempDirectory("debian-postgres");
    Files.writeString(directory.resolve("password"), password);
    run(List.of("chown", "-R", SUPERUSER, directory.toString()), directory);
    int port = FreePort.find();
    DebianPostgres server =
        new DebianPostgres(directory, binaries, port, user, password, List.of(settings));
    server.asPostgres(
        "initdb",
        "--auth=scram-sha-256",
        "--pwfile=" + directory.resolve("password"),
        "--no-sync",
        "-D",
        server.data());
    server.startServer();
    try (Connection connection = server.connectAsSuperuser()) {
      connection
          .createStatement()
          .execute("CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(user, password));
      connection.createStatement().execute("CREATE DATABASE bench OWNER " + user);
    }
    return server;
  }

  /** The programs of the version that is used: psql, pgbench and the server's own. */
  public static Path binaries() throws IOException {
    try (Stream<Path> versions = Files.list(VERSIONS)) {
      return versions.sorted().findFirst().orElseThrow().resolve("bin");
    }
  }

  private void startServer() throws IOException, InterruptedException {
    asPostgres(
        "pg_ctl",
        "-w",
        "-t",
        START_SECONDS,
        "-D",
        data(),
        "-l",
        directory.resolve("log").toString(),
        "-o",
        "-p "
            + port
            + " -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
            + settings,
        "start");
  }

  /**
   * {@code kill -9} of the postmaster and all its children. It is stopped before: a child that it
   * made meanwhile would be left, and could wait for ever for what a killed one has held.
   */
  public void killHard() throws IOException, InterruptedException {
    long pid = Long.parseLong(Files.readAllLines(Path.of(data(), "postmaster.pid")).get(0));
    run(List.of("kill", "-s", "STOP", Long.toString(pid)), directory);
    ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
    List<ProcessHandle> all = new ArrayList<>(List.of(postmaster));
    all.addAll(postmaster.descendants().toList());
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : all) {
      process.onExit().join();
    }
  }

  /** Starts it again on the same files and port. */
  public void restart() throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        startServer();
        return;
      } catch (IOException e) {
        // The dead server's shared memory or port can be held for a moment.
        if (attempt == START_ATTEMPTS) {
          throw new IOException(Files.readString(directory.resolve("log")), e);
        }
      }
    }
  }

  public int port() {
    return port;
  }

  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/bench";
  }

  /** A connection of the user. */
  public Connection connect() throws SQLException {
    return connect(user, "bench");
  }

  /** One of the superuser, to the database {@code postgres}. */
  public Connection connectAsSuperuser() throws SQLException {
    return connect(SUPERUSER, "postgres");
  }

  private Connection connect(String role, String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/" + database, role, password);
  }

  private String data() {
    return directory.resolve("data").toString();
  }

  private void asPostgres(String program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("runuser", "-u", SUPERUSER, "--", binaries.resolve(program).toString()));
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
