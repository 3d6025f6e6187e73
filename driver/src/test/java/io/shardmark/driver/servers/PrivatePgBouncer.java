package io.shardmark.driver.servers;

import io.shardmark.servers.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * PgBouncer from the machine's packages in front of {@link SharedPostgres}: a transaction pooler.
 */
public final class PrivatePgBouncer implements AutoCloseable {
  public static final String NOT_THERE = "needs Debian's package pgbouncer, and root to run it";

  private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");
  private static final Path RUN_AS = Path.of("/usr/sbin/runuser");
  private static final String SERVICE_USER = "postgres";
  private static final long START_SECONDS = 120;

  /** After so long without a server connection it refuses a client; by itself after 120 s. */
  private static final int MOST_WAIT_SECONDS = 10;

  private final Path directory;
  private final Process process;
  private final int port;

  private PrivatePgBouncer(Path directory, Process process, int port) {
    this.directory = directory;
    this.process = process;
    this.port = port;
  }

  /** PgBouncer refuses to run as root, so that root must be able to become somebody else. */
  public static boolean isInstalled() {
    return Files.isExecutable(PROGRAM)
        && Files.isExecutable(RUN_AS)
        && System.getProperty("user.name").equals("root");
  }

  /**
   * Starts it; returns when it accepts connections.
   *
   * @param serverConnections of each database
   */
  public static PrivatePgBouncer start(int serverConnections) throws IOException, SQLException {
    Path directory = Files.createTempDirectory("pgbouncer");
    int port = FreePort.find();
    Path settings = directory.resolve("pgbouncer.ini");
    Files.writeString(
        settings,
        """
        [databases]
        * = host=127.0.0.1 port=%d user=postgres password=postgres
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = any
        pool_mode = transaction
        default_pool_size = %d
        query_wait_timeout = %d
        ignore_startup_parameters = extra_float_digits
        """
            .formatted(SharedPostgres.port(), port, serverConnections, MOST_WAIT_SECONDS));
    own(directory);
    own(settings);
    Process process =
        new ProcessBuilder(
                RUN_AS.toString(),
                "-u",
                SERVICE_USER,
                "--",
                PROGRAM.toString(),
                settings.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    PrivatePgBouncer bouncer = new PrivatePgBouncer(directory, process, port);
    bouncer.awaitStart();
    return bouncer;
  }

  private static void own(Path path) throws IOException {
    Files.setOwner(
        path,
        path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(SERVICE_USER));
  }

  private void awaitStart() throws IOException, SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (true) {
      try (Connection connection = connect("postgres")) {
        connection.isValid(0);
        return;
      } catch (SQLException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          String log = Files.readString(directory.resolve("log"));
          close();
          throw new IOException("pgbouncer does not start: " + log, e);
        }
        Thread.onSpinWait(); // until a process listens that has no way to say so
      }
    }
  }

  /** A connection of the superuser to a database of {@link SharedPostgres}. */
  public Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(url(database), "postgres", "postgres");
  }

  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  @Override
  public void close() {
    process.children().forEach(ProcessHandle::destroy);
    process.destroy();
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        process.destroyForcibly().waitFor();
      }
      try (Stream<Path> paths = Files.walk(directory)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
