package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Secret;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of one embedded server: {@code cluster} (PostgreSQL's data directory), {@code
 * server.log}, {@code administrator} (the superuser's password) and a lock that keeps a second
 * process out.
 */
final class ClusterDirectory implements AutoCloseable {
  /** The superuser, whom only we know; the benchmark's own role has no such rights. */
  static final String ADMINISTRATOR = "shardmark_administrator";

  private static final String PASSWORD_FILE = "administrator";
  private static final String SETTINGS_FILE = "shardmark.conf";
  private static final String DATA = "cluster";
  private static final String UNFINISHED = "cluster.unfinished";
  private static final String LOCK_FILE = "lock";
  private static final String STANDBY_SIGNAL = "standby.signal";
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private final Path home;
  private final boolean keep;
  private final ServerUser user;
  private final FileChannel lockChannel;
  private final FileLock lock;

  private ClusterDirectory(
      Path home, boolean keep, ServerUser user, FileChannel channel, FileLock lock) {
    this.home = home;
    this.keep = keep;
    this.user = user;
    this.lockChannel = channel;
    this.lock = lock;
  }

  /**
   * Takes a directory for ourselves; creates it if need be.
   *
   * @throws ConfigException if it holds something else or another process uses it
   */
  static ClusterDirectory open(EmbeddedOptions options, ServerUser user) throws IOException {
    Path home;
    if (options.data().isPresent()) {
      home = options.data().get();
      checkIsOurs(home);
      Files.createDirectories(home);
    } else {
      home = Files.createTempDirectory("shardmark-");
    }
    if (user.isAnotherUser()) {
      Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx--x--x"));
    }
    FileChannel channel =
        FileChannel.open(
            home.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    @Nullable FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another server of this very process; said below as for any other.
    }
    if (lock == null) {
      channel.close();
      throw new ConfigException("conn: option data: " + home + " is in use by another run");
    }
    user.checkReaches(home, "the directory");
    return new ClusterDirectory(home, options.keep(), user, channel, lock);
  }

  private static void checkIsOurs(Path home) throws IOException {
    if (!Files.exists(home)) {
      return;
    }
    if (!Files.isDirectory(home)) {
      throw new ConfigException("conn: option data: " + home + " is not a directory");
    }
    try (Stream<Path> files = Files.list(home)) {
      if (files.findAny().isPresent() && !Files.exists(home.resolve(LOCK_FILE))) {
        throw new ConfigException(
            "conn: option data: "
                + home
                + " holds other files; expected a new or empty directory, or one used before");
      }
    }
  }

  Path home() {
    return home;
  }

  Path data() {
    return home.resolve(DATA);
  }

  /** True if the server follows another one and takes no writes. */
  boolean isStandby() {
    return Files.exists(data().resolve(STANDBY_SIGNAL));
  }

  /**
   * Makes a directory from which a standby can start, unless there is one.
   *
   * @param home the standby's; created if need be
   * @param primary the directory of the server that it follows
   * @param copy copies that server's files into a directory that is there
   * @throws ConfigException if the directory holds a server that is no standby
   */
  static void makeStandby(Path home, Path primary, BaseCopy copy) throws IOException, SQLException {
    Path data = home.resolve(DATA);
    if (Files.isDirectory(data)) {
      if (!Files.exists(data.resolve(STANDBY_SIGNAL))) {
        throw new ConfigException(
            "conn: option data: the server in "
                + home
                + " is no standby any more, it was promoted; remove that directory or choose another");
      }
      return;
    }
    checkIsOurs(home);
    Files.createDirectories(home);
    Files.write(home.resolve(LOCK_FILE), new byte[0]);
    Path unfinished = home.resolve(UNFINISHED);
    delete(unfinished);
    Files.createDirectory(unfinished, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    copy.into(unfinished);
    Files.write(unfinished.resolve(STANDBY_SIGNAL), new byte[0]);
    Files.copy(
        primary.resolve(PASSWORD_FILE),
        home.resolve(PASSWORD_FILE),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.COPY_ATTRIBUTES);
    Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Copies the files of a running server. */
  interface BaseCopy {
    void into(Path directory) throws IOException, SQLException;
  }

  Path log() {
    return home.resolve("server.log");
  }

  /** Creates the database cluster unless it is there, and checks that these programs can run it. */
  void initialise(PostgresBinaries binaries, Consumer<String> progress) throws IOException {
    if (Files.isDirectory(data())) {
      checkVersion(binaries);
      user.own(data());
      return;
    }
    progress.accept("Creating a PostgreSQL cluster in " + home);
    Path unfinished = home.resolve(UNFINISHED);
    delete(unfinished);
    Files.createDirectory(unfinished);
    Path password = writePassword();
    Path copy = Files.copy(password, unfinished.resolveSibling(PASSWORD_FILE + ".initdb"));
    user.own(copy);
    user.own(unfinished);
    ShellCommand initdb = ShellCommand.run(user.command(initdbCommand(binaries, unfinished, copy)));
    Files.delete(copy);
    if (!initdb.succeeded()) {
      throw new IOException("initdb failed: " + initdb.output().strip());
    }
    Files.writeString(
        unfinished.resolve("postgresql.conf"),
        "\ninclude_if_exists = '" + SETTINGS_FILE + "'\n",
        StandardOpenOption.APPEND);
    Files.writeString(
        unfinished.resolve("pg_hba.conf"),
        """
        host all all 127.0.0.1/32 scram-sha-256
        local all all scram-sha-256
        host replication all 127.0.0.1/32 scram-sha-256
        local replication all scram-sha-256
        """);
    // Another name until it is whole: an interrupted initdb is never mistaken for a cluster.
    Files.move(unfinished, data(), StandardCopyOption.ATOMIC_MOVE);
  }

  private List<String> initdbCommand(PostgresBinaries binaries, Path data, Path password) {
    List<String> command = new ArrayList<>();
    command.add(binaries.program("initdb").toString());
    command.add("--pgdata=" + data);
    command.add("--username=" + ADMINISTRATOR);
    command.add("--pwfile=" + password);
    command.add("--auth=scram-sha-256");
    command.add("--encoding=UTF8");
    command.add("--locale=C");
    command.add("--no-instructions");
    if (!keep) {
      // Nobody will look for these files after a power failure.
      command.add("--no-sync");
    }
    return command;
  }

  private void checkVersion(PostgresBinaries binaries) throws IOException {
    String version =
        ShellCommand.run(List.of(binaries.program("postgres").toString(), "-V"))
            .output()
            .replaceAll("\\D*(\\d+).*\\R?", "$1");
    String found = Files.readString(data().resolve("PG_VERSION")).strip();
    if (!found.equals(version)) {
      throw new ConfigException(
          "conn: option data: "
              + home
              + " was created by PostgreSQL "
              + found
              + ", expected "
              + version
              + "; choose another directory");
    }
  }

  private Path writePassword() throws IOException {
    byte[] random = new byte[24];
    new SecureRandom().nextBytes(random);
    Path file = home.resolve(PASSWORD_FILE);
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, Base64.getUrlEncoder().encodeToString(random));
  }

  Secret administratorPassword() throws IOException {
    return new Secret(Files.readString(home.resolve(PASSWORD_FILE)).strip());
  }

  /** Replaces our settings; they take effect when the server starts. */
  void writeSettings(Map<String, String> settings) throws IOException {
    StringBuilder text =
        new StringBuilder("# Written at every start; use set.NAME=VALUE in conn.\n");
    settings.forEach(
        (name, value) ->
            text.append(name).append(" = '").append(value.replace("'", "''")).append("'\n"));
    Path file = Files.writeString(data().resolve(SETTINGS_FILE), text);
    user.own(file);
  }

  /** PostgreSQL's note of the running server, or nothing if none runs or has crashed. */
  String postmasterFile() throws IOException {
    try {
      return Files.readString(data().resolve("postmaster.pid"));
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  void delete() throws IOException {
    delete(home);
  }

  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      // What is in a directory comes before it.
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public void close() throws IOException {
    lock.release();
    lockChannel.close();
  }
}
