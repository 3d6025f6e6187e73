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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * A primary and its standby, for {@code conn=embedded:replicated[?standby=physical|logical&...]}:
 * two servers of our own. The primary takes the standby for a synchronous one, under the name
 * {@code standby}, but waits for it only in sessions that set {@code synchronous_commit}: the
 * default is {@code local}.
 *
 * <p>Thread-safe; start, promote and close block until that is done.
 */
public final class EmbeddedPair implements EmbeddedDatabase {
  private static final String NAME = "standby";
  private static final String PUBLICATION = "shardmark";

  private final EmbeddedServer primary;
  private @Nullable EmbeddedServer standby;

  private EmbeddedPair(EmbeddedServer primary) {
    this.primary = primary;
  }

  static EmbeddedPair start(
      EmbeddedOptions options, BenchmarkRole role, int connections, Consumer<String> progress) {
    EmbeddedOptions first =
        options.ofServer(
            options.data().map(data -> data.resolve("primary")),
            options.port(),
            2,
            Map.of(
                "wal_level",
                options.logical() ? "logical" : "replica",
                "synchronous_standby_names",
                NAME,
                "synchronous_commit",
                "local"));
    EmbeddedPair pair = new EmbeddedPair(EmbeddedServer.start(first, role, connections, progress));
    boolean started = false;
    try {
      Path home =
          options.data().isPresent()
              ? options.data().get().resolve(NAME)
              : Files.createTempDirectory("shardmark-");
      if (!options.logical()) {
        ClusterDirectory.makeStandby(home, pair.primary.home(), pair::copyPrimary);
      }
      EmbeddedServer follower =
          EmbeddedServer.start(
              options.ofServer(
                  Optional.of(home),
                  Optional.empty(),
                  2,
                  options.logical() ? Map.of() : pair.following()),
              role,
              connections,
              progress);
      pair.standby = follower;
      if (options.logical()) {
        pair.subscribe(follower, role);
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

  private Map<String, String> following() throws IOException {
    return Map.of("primary_conninfo", primary.conninfo(NAME), "primary_slot_name", NAME);
  }

  /** As pg_basebackup does, which is not among the embedded programs. */
  private void copyPrimary(Path target) throws IOException, SQLException {
    try (Connection connection = primary.openAsAdministrator();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          SELECT pg_create_physical_replication_slot('%s', true)
           WHERE NOT EXISTS (SELECT 1 FROM pg_replication_slots WHERE slot_name = '%s')
          """
              .formatted(NAME, NAME));
      statement.execute("SELECT pg_backup_start('standby', true)");
      BaseBackup.copy(primary.dataDirectory(), target);
      try (ResultSet stopped = statement.executeQuery("SELECT * FROM pg_backup_stop(false)")) {
        stopped.next();
        Files.writeString(target.resolve("backup_label"), stopped.getString("labelfile"));
      }
    }
  }

  /** The primary's port may be another one than the last time. */
  private void subscribe(EmbeddedServer subscriber, BenchmarkRole owner)
      throws SQLException, IOException {
    try (Connection publishing = primary.openAsAdministrator();
        Connection subscribing = subscriber.openAsAdministrator();
        Statement onPrimary = publishing.createStatement();
        Statement onStandby = subscribing.createStatement()) {
      PGConnection postgres = subscribing.unwrap(PGConnection.class);
      String conninfo =
          postgres.escapeLiteral(
              primary.conninfo(NAME)
                  + " dbname='"
                  + owner.database().replace("\\", "\\\\").replace("'", "\\'")
                  + "'");
      if (isFound(onStandby, "SELECT 1 FROM pg_subscription WHERE subname = '" + NAME + "'")) {
        onStandby.execute("ALTER SUBSCRIPTION " + NAME + " CONNECTION '" + conninfo + "'");
        return;
      }
      String role = postgres.escapeIdentifier(owner.user());
      if (!isFound(
          onPrimary, "SELECT 1 FROM pg_publication WHERE pubname = '" + PUBLICATION + "'")) {
        // Without tables: who has tables that are to be replicated adds them.
        onPrimary.execute("CREATE PUBLICATION " + PUBLICATION);
        onPrimary.execute("ALTER PUBLICATION %s OWNER TO %s".formatted(PUBLICATION, role));
      }
      onStandby.execute(
          "CREATE SUBSCRIPTION %s CONNECTION '%s' PUBLICATION %s WITH (streaming = parallel)"
              .formatted(NAME, conninfo, PUBLICATION));
      // Its owner can have it look for new tables, and set how it applies changes.
      onStandby.execute("GRANT pg_create_subscription TO " + role);
      onStandby.execute("ALTER SUBSCRIPTION %s OWNER TO %s".formatted(NAME, role));
    }
  }

  private static boolean isFound(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      return row.next();
    }
  }

  @Override
  public String jdbcUrl() {
    return primary.jdbcUrl();
  }

  @Override
  public Optional<String> standbyUrl() {
    return Optional.of(standby().jdbcUrl());
  }

  /** The server that takes the writes. */
  public EmbeddedServer primary() {
    return primary;
  }

  /** The server that follows. */
  public synchronized EmbeddedServer standby() {
    if (standby == null) {
      throw new IllegalStateException("the standby has not started");
    }
    return standby;
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

  /** Ends the standby first, so that it need not look for its primary. */
  @Override
  public List<EmbeddedPart> parts() {
    return List.of(primary.part("the primary"));
  }

  @Override
  public synchronized void close() {
    try {
      if (standby != null) {
        standby.close();
      }
    } finally {
      primary.close();
    }
  }
}
