package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A real PostgreSQL server of our own, for {@code conn=embedded:postgres[?option=value&...]}. It
 * listens on 127.0.0.1 with password authentication (SCRAM-SHA-256), encoding UTF8 and locale C,
 * and runs in its own process, which ends with {@link #close} or, if this process dies first,
 * however it dies, right after it. A Ctrl-C on the terminal does not reach it.
 *
 * <p>Options: {@code data=DIR} (files that are kept and used again), {@code keep=true|false},
 * {@code port=N}, {@code memory=SIZE} (what the server may plan with; default half of the machine's
 * or container's), {@code fsync=on|off}, {@code connections=N}, {@code set.<setting>=VALUE}.
 *
 * <p>Thread-safe; the methods that start or end the server block until it has started or ended.
 */
public final class EmbeddedServer implements EmbeddedDatabase {
  private static final long SMALL_SHARED_MEMORY_BYTES = 1L << 30;

  private final EmbeddedOptions options;
  private final BenchmarkRole role;
  private final int connections;
  private final Consumer<String> progress;
  private final ServerUser serverUser;
  private final PostgresBinaries binaries;
  private final ClusterDirectory cluster;
  private ServerProcess process;
  private boolean closed;

  private EmbeddedServer(
      EmbeddedOptions options, BenchmarkRole role, int connections, Consumer<String> progress)
      throws IOException {
    this.options = options;
    this.role = role;
    this.connections = options.connections().orElse(connections);
    this.progress = progress;
    this.serverUser = ServerUser.find();
    this.binaries = PostgresBinaries.unpacked(serverUser, progress);
    this.cluster = ClusterDirectory.open(options, serverUser);
    boolean started = false;
    try {
      ServerProcess.endLeftOver(cluster, progress);
      cluster.initialise(binaries, progress);
      process = startProcess(options.port());
      try {
        if (!cluster.isStandby()) { // which has them from its primary
          role.ensure(serverUrl(), cluster.administratorPassword());
        }
        started = true;
      } catch (SQLException e) {
        throw new ConfigException(
            "conn: PostgreSQL does not take user \""
                + role.user()
                + "\" and database \""
                + role.database()
                + "\": "
                + e.getMessage());
      } finally {
        if (!started) {
          process.stop();
        }
      }
    } finally {
      if (!started) {
        release();
      }
    }
  }

  /**
   * Starts a server; on first use this unpacks PostgreSQL and creates the database cluster.
   *
   * @param conn the value of the key {@code conn}
   * @param user a role that is created if need be; it owns the database but is no superuser
   * @param password that role's password from now on; not empty
   * @param database created if need be
   * @param connections how many connections the caller will open at once; the option {@code
   *     connections} overrides it
   * @param progress gets one line for each step that takes time
   * @throws ConfigException if an option is wrong, the directory is in use, or this machine cannot
   *     run the server
   * @throws UncheckedIOException if the disk fails
   */
  public static EmbeddedServer start(
      String conn,
      String user,
      Secret password,
      String database,
      int connections,
      Consumer<String> progress) {
    return start(
        EmbeddedOptions.parse(conn),
        new BenchmarkRole(user, password, database),
        connections,
        progress);
  }

  static EmbeddedServer start(
      EmbeddedOptions options, BenchmarkRole role, int connections, Consumer<String> progress) {
    try {
      return new EmbeddedServer(options, role, connections, progress);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the embedded PostgreSQL", e);
    }
  }

  /** By its Unix-domain socket or the address that {@code via} names, if the options ask for it. */
  @Override
  public synchronized String jdbcUrl() {
    boolean unix = options.via().filter(EmbeddedOptions.UNIX::equals).isPresent();
    String socket =
        options
            .settings()
            .getOrDefault("unix_socket_directories", unix ? cluster.data().toString() : "");
    if (!socket.isEmpty()) {
      return directUrl() + "?unixSocket=%s/.s.PGSQL.%d".formatted(socket, process.port());
    }
    return directUrl().replace("127.0.0.1", options.via().orElse("127.0.0.1"));
  }

  /** By 127.0.0.1 in any case. */
  String directUrl() {
    return jdbcUrl(role.database());
  }

  /** The same for another database of this server. */
  public synchronized String jdbcUrl(String otherDatabase) {
    return serverUrl()
        + URLEncoder.encode(otherDatabase, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private String serverUrl() {
    return "jdbc:postgresql://127.0.0.1:" + process.port() + "/";
  }

  /** A connection of the superuser to the benchmark's database; the caller closes it. */
  synchronized Connection openAsAdministrator() throws SQLException {
    try {
      return DriverManager.getConnection(
          directUrl(), ClusterDirectory.ADMINISTRATOR, cluster.administratorPassword().value());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the administrator's password", e);
    }
  }

  /** How another server of this machine reaches this one, in libpq's form. */
  synchronized String conninfo(String applicationName) throws IOException {
    return "host='%s' port=%d user=%s password=%s application_name=%s"
        .formatted(
            host(),
            process.port(),
            ClusterDirectory.ADMINISTRATOR,
            cluster.administratorPassword().value(),
            applicationName);
  }

  /** Its address, or the directory of its Unix-domain socket: what {@code via} asks for. */
  String host() {
    return options
        .via()
        .map(via -> via.equals(EmbeddedOptions.UNIX) ? cluster.data().toString() : via)
        .orElse("127.0.0.1");
  }

  /** The directory of all its files. */
  Path home() {
    return cluster.home();
  }

  /** PostgreSQL's own data directory (PGDATA). */
  public Path dataDirectory() {
    return cluster.data();
  }

  /** The server's log; it grows with each start. */
  public Path logFile() {
    return cluster.log();
  }

  /** The same over {@link #restart}. */
  public synchronized int port() {
    return process.port();
  }

  /** The postmaster's process. */
  public synchronized long pid() {
    return process.pid();
  }

  /** True until the server has ended, by order or not. */
  public synchronized boolean isRunning() {
    try {
      return process.isRunning();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot ask the embedded PostgreSQL's supervisor", e);
    }
  }

  /** Kills the server (SIGKILL), as a crash would; for fault tests. */
  public synchronized void killHard() {
    try {
      process.kill();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot kill the embedded PostgreSQL", e);
    }
  }

  @Override
  public List<EmbeddedPart> parts() {
    return List.of(part("the server"));
  }

  EmbeddedPart part(String name) {
    return new EmbeddedPart(
        name,
        this::killHard,
        this::restart,
        () -> process().pause(),
        () -> process().resume(),
        Optional.of(this::backUp));
  }

  private synchronized ServerProcess process() {
    return process;
  }

  /** Not synchronized: meanwhile the server may be killed. */
  private void backUp() {
    try {
      Path copy = Files.createTempDirectory(home(), "backup-");
      try (Connection connection = openAsAdministrator()) {
        BaseBackup.take(connection, dataDirectory(), copy);
      } catch (SQLException e) {
        throw new IOException(e.getMessage(), e);
      } finally {
        ClusterDirectory.delete(copy);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot back up the embedded PostgreSQL", e);
    }
  }

  /** Starts the server again on the same files and port; stops it first if it still runs. */
  public synchronized void restart() {
    try {
      process.stop();
      process = startProcess(Optional.of(process.port()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot restart the embedded PostgreSQL", e);
    }
  }

  /**
   * Stops the server; deletes its files unless they are to be kept. Does nothing the second time.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      process.stop();
      release();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot stop the embedded PostgreSQL", e);
    }
  }

  private void release() throws IOException {
    if (!options.keep()) {
      cluster.delete();
    }
    cluster.close();
  }

  private ServerProcess startProcess(Optional<Integer> fixedPort) throws IOException {
    return FreePort.start(
        fixedPort,
        port -> {
          cluster.writeSettings(ServerSettings.of(machine(), port, options));
          return ServerProcess.start(binaries, serverUser, cluster, port, options.keep(), progress);
        });
  }

  private ServerSettings.Machine machine() throws IOException {
    // The other half is the driver's, the kernel's and its page cache's.
    long memory = options.memoryBytes().orElseGet(() -> machineMemoryBytes() / 2);
    Path shared = Path.of("/dev/shm");
    boolean small = false;
    if (Files.isDirectory(shared)) {
      FileStore store = Files.getFileStore(shared);
      small = store.getTotalSpace() < SMALL_SHARED_MEMORY_BYTES;
    }
    return new ServerSettings.Machine(
        memory, Files.getFileStore(cluster.home()).getUsableSpace(), connections, small);
  }

  /** What the machine, or the container, has. */
  static long machineMemoryBytes() {
    java.lang.management.OperatingSystemMXBean bean =
        java.lang.management.ManagementFactory.getOperatingSystemMXBean();
    return bean instanceof com.sun.management.OperatingSystemMXBean machine
        ? machine.getTotalMemorySize()
        : 1L << 30;
  }
}
