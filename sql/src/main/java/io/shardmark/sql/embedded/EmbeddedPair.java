package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.postgresql.PGConnection;

/**
 * A primary and its standbys, for {@code conn=embedded:replicated[?standby=physical|logical&...]}:
 * several embedded servers. The primary takes them for synchronous ones, under the names {@code
 * standby}, {@code standby_2} and so on, but waits for them only in sessions that set {@code
 * synchronous_commit}: the default is {@code local}. A logical standby with several subscriptions
 * has those names for them.
 *
 * <p>Thread-safe; start, promote and close block until that is done.
 */
public final class EmbeddedPair implements EmbeddedDatabase {
  private static final String NAME = "standby";
  private static final String PUBLICATION = "shardmark";

  /** For table copies, and to spare. */
  private static final int MORE_SENDERS = 10;

  private final EmbeddedServer primary;
  private final EmbeddedOptions options;
  private final List<EmbeddedServer> standbys = new ArrayList<>();

  private EmbeddedPair(EmbeddedServer primary, EmbeddedOptions options) {
    this.primary = primary;
    this.options = options;
  }

  static EmbeddedPair start(
      EmbeddedOptions options, BenchmarkRole role, int connections, Consumer<String> progress) {
    int senders = options.standbys().count() * options.standbys().subscriptions();
    EmbeddedOptions first =
        options.ofServer(
            options.data().map(data -> data.resolve("primary")),
            options.port(),
            options.standbys().count() + 1,
            Map.of(
                "wal_level",
                options.standbys().logical() ? "logical" : "replica",
                "synchronous_standby_names",
                synchronousNames(options.standbys(), senders),
                "synchronous_commit",
                "local",
                "max_wal_senders",
                most(senders),
                "max_replication_slots",
                most(senders)));
    EmbeddedPair pair =
        new EmbeddedPair(EmbeddedServer.start(first, role, connections, progress), options);
    boolean started = false;
    try {
      for (int number = 1; number <= options.standbys().count(); number++) {
        pair.startStandby(numbered(NAME, number), role, connections, progress);
      }
      started = true;
      return pair;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the standby", e);
    } catch (SQLException e) {
      throw new ConfigException("conn: the standby cannot be set up: " + e.getMessage());
    } finally {
      if (!started) {
        pair.close();
      }
    }
  }

  /** All subscriptions of one standby count: each has a share of the rows. */
  private static String synchronousNames(EmbeddedOptions.Standbys standbys, int senders) {
    boolean all = standbys.synchronousToAll() || standbys.subscriptions() > 1;
    return IntStream.rangeClosed(1, senders)
        .mapToObj(number -> numbered(NAME, number))
        .collect(Collectors.joining(", ", all ? senders + " (" : "ANY 1 (", ")"));
  }

  private static String most(int senders) {
    return Integer.toString(2 * senders + MORE_SENDERS);
  }

  private static String numbered(String name, int number) {
    return number == 1 ? name : name + "_" + number;
  }

  private void startStandby(
      String name, BenchmarkRole role, int connections, Consumer<String> progress)
      throws IOException, SQLException {
    boolean logical = options.standbys().logical();
    Path home =
        options.data().isPresent()
            ? options.data().get().resolve(name)
            : Files.createTempDirectory("shardmark-");
    if (!logical) {
      ClusterDirectory.makeStandby(home, primary.home(), target -> copyPrimary(target, name));
    }
    EmbeddedServer follower =
        EmbeddedServer.start(
            options.ofServer(
                Optional.of(home),
                Optional.empty(),
                options.standbys().count() + 1,
                logical ? applying() : following(name)),
            role,
            connections,
            progress);
    synchronized (this) {
      standbys.add(follower);
    }
    for (int number = 1; logical && number <= options.standbys().subscriptions(); number++) {
      String subscription = options.standbys().count() > 1 ? name : numbered(NAME, number);
      subscribe(follower, role, subscription, numbered(PUBLICATION, number));
    }
  }

  private Map<String, String> applying() {
    int subscriptions = options.standbys().subscriptions();
    return Map.of(
        "max_logical_replication_workers", most(subscriptions),
        "max_worker_processes", most(subscriptions + MORE_SENDERS),
        "max_active_replication_origins", most(subscriptions),
        "wal_retrieve_retry_interval", "100ms"); // how long a worker's start is put off
  }

  private Map<String, String> following(String name) throws IOException {
    return Map.of(
        "primary_conninfo", primary.conninfo(name),
        "primary_slot_name", name,
        "max_wal_senders", most(options.standbys().count()));
  }

  /** As pg_basebackup does, which is not among the embedded programs. */
  private void copyPrimary(Path target, String slot) throws IOException, SQLException {
    try (Connection connection = primary.openAsAdministrator();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          SELECT pg_create_physical_replication_slot('%s', true)
           WHERE NOT EXISTS (SELECT 1 FROM pg_replication_slots WHERE slot_name = '%s')
          """
              .formatted(slot, slot));
      BaseBackup.take(connection, primary.dataDirectory(), target);
    }
  }

  /** The primary's port may be another one than the last time. */
  private void subscribe(
      EmbeddedServer subscriber, BenchmarkRole owner, String name, String publication)
      throws SQLException, IOException {
    try (Connection publishing = primary.openAsAdministrator();
        Connection subscribing = subscriber.openAsAdministrator();
        Statement onPrimary = publishing.createStatement();
        Statement onStandby = subscribing.createStatement()) {
      PGConnection postgres = subscribing.unwrap(PGConnection.class);
      String conninfo =
          postgres.escapeLiteral(
              primary.conninfo(name)
                  + " dbname='"
                  + owner.database().replace("\\", "\\\\").replace("'", "\\'")
                  + "'");
      if (isFound(onStandby, "SELECT 1 FROM pg_subscription WHERE subname = '" + name + "'")) {
        onStandby.execute("ALTER SUBSCRIPTION " + name + " CONNECTION '" + conninfo + "'");
        return;
      }
      String role = postgres.escapeIdentifier(owner.user());
      if (!isFound(
          onPrimary, "SELECT 1 FROM pg_publication WHERE pubname = '" + publication + "'")) {
        // Without tables: who has tables that are to be replicated adds them.
        onPrimary.execute("CREATE PUBLICATION " + publication);
        onPrimary.execute("ALTER PUBLICATION %s OWNER TO %s".formatted(publication, role));
      }
      onStandby.execute(
          "CREATE SUBSCRIPTION %s CONNECTION '%s' PUBLICATION %s WITH (streaming = parallel)"
              .formatted(name, conninfo, publication));
      // Its owner can have it look for new tables, and set how it applies changes.
      onStandby.execute("GRANT pg_create_subscription TO " + role);
      onStandby.execute("ALTER SUBSCRIPTION %s OWNER TO %s".formatted(name, role));
    }
  }

  private static boolean isFound(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      return row.next();
    }
  }

  /** The option {@code via} is the standbys' way to it, not a client's. */
  @Override
  public String jdbcUrl() {
    return primary.directUrl();
  }

  @Override
  public synchronized List<String> standbyUrls() {
    return standbys.stream().map(EmbeddedServer::directUrl).toList();
  }

  /** The server that takes the writes. */
  public EmbeddedServer primary() {
    return primary;
  }

  /** The first server that follows. */
  public synchronized EmbeddedServer standby() {
    return standbys.get(0);
  }

  /**
   * Lets a physical standby take writes, after it has replayed all that it received.
   *
   * @throws SQLException if it does not within a minute
   */
  public void promote() throws SQLException {
    try (Connection connection = standby().openAsAdministrator();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_promote(true, 60)")) {
      if (!row.next() || !row.getBoolean(1)) {
        throw new SQLException("the standby was not promoted within a minute");
      }
    }
  }

  @Override
  public List<EmbeddedPart> parts() {
    return List.of(primary.part("the primary"));
  }

  /** Ends the standbys first, so that they need not look for their primary. */
  @Override
  public synchronized void close() {
    try {
      standbys.forEach(EmbeddedServer::close);
    } finally {
      primary.close();
    }
  }
}
