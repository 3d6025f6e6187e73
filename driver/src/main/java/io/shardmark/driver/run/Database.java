package io.shardmark.driver.run;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.Secret;
import io.shardmark.config.ShardMapUse;
import io.shardmark.driver.benchmark.Endpoints;
import io.shardmark.sql.embedded.EmbeddedConn;
import io.shardmark.sql.embedded.EmbeddedDatabase;
import io.shardmark.sql.embedded.EmbeddedPart;
import io.shardmark.sql.jdbc.DatabaseConnections;
import io.shardmark.sql.jdbc.FirstValue;
import io.shardmark.sql.shards.Shard;
import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.ShardMapReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The database a command works on: one that is there, or embedded servers that live as long as this
 * object.
 */
public final class Database implements AutoCloseable {
  private static final String EMBEDDED_DATABASE = "benchmarksql";

  private final ConnectionConfig config;
  private final DatabaseConnections connections;
  private final @Nullable EmbeddedDatabase server;

  private Database(ConnectionConfig config, @Nullable EmbeddedDatabase server) {
    this.config = config;
    this.server = server;
    this.connections = DatabaseConnections.of(config);
  }

  /**
   * Loads the JDBC driver, after starting the server if {@code conn} asks for an embedded one.
   * Connects to nothing else yet.
   *
   * @param connectionCount how many connections the caller will open at once
   * @param progress receives one line for each step that takes time
   * @throws io.shardmark.config.ConfigException if there is no such driver or the server cannot
   *     start
   */
  public static Database open(
      ConnectionConfig config, int connectionCount, Consumer<String> progress) {
    if (!config.isEmbedded()) {
      return new Database(config, null);
    }
    // The server listens on this machine only and ends with us; a password nobody chose need not be
    // known to anyone.
    Secret password =
        config.password().value().isEmpty()
            ? new Secret(UUID.randomUUID().toString())
            : config.password();
    EmbeddedDatabase server =
        EmbeddedConn.start(
            config.url(), config.user(), password, EMBEDDED_DATABASE, connectionCount, progress);
    return new Database(config.at(server.jdbcUrl(), password), server);
  }

  /** How a workload reaches the servers of this database. */
  public Endpoints endpoints() {
    EmbeddedDatabase database = server;
    return new Endpoints(config, database == null ? List.of() : database.standbyUrls());
  }

  /** The embedded servers' processes, which fault tests may kill; none of a database of others. */
  public List<EmbeddedPart> parts() {
    return server == null ? List.of() : server.parts();
  }

  /** How the database is reached; with an embedded server, its JDBC URL. */
  public ConnectionConfig config() {
    return config;
  }

  public DatabaseConnections connections() {
    return connections;
  }

  /** Those of the terminals: over all proxies, if several were started. */
  DatabaseConnections terminalConnections() {
    return server == null ? connections : connections.inTurns();
  }

  /** Others, whose statements may take as long as they take: the key limits those of a run. */
  DatabaseConnections unlimited() {
    return DatabaseConnections.of(config.withoutStatementTimeout());
  }

  /**
   * Where the rows are just now, if this is an endpoint over shards that says so.
   *
   * @throws io.shardmark.config.ConfigException if the database cannot be reached
   * @throws SQLException if it breaks off while it is asked
   */
  public Optional<ShardMap> shardMap() throws SQLException {
    if (!mayHaveShards()) {
      return Optional.empty();
    }
    try (Connection connection = connections.open()) {
      return ShardMapReader.read(connection);
    }
  }

  /** The proxy's shards, which have the rows, each its own; none if the endpoint has them. */
  public List<Shard> proxyShards() throws SQLException {
    return shardMap().filter(ShardMap::isOfProxy).map(ShardMap::shards).orElse(List.of());
  }

  private boolean mayHaveShards() {
    return config.database() == DatabaseKind.POSTGRES && config.shardMap() == ShardMapUse.AUTO;
  }

  /**
   * How much room tables and indexes take, as the server counts it, in words such as {@code 312
   * MB}; empty for a server that does not say it in one query, and for an endpoint over several.
   *
   * @param prefix how the names of tables and indexes begin, lower case
   */
  Optional<String> size(String prefix) throws SQLException {
    Optional<String> query = sizeQuery(prefix);
    if (query.isEmpty()) {
      return Optional.empty();
    }
    try (Connection connection = connections.open()) {
      long bytes = FirstValue.number(connection, query.get());
      return Optional.of(String.format(Locale.ROOT, "%,d MB", (bytes >> 20) + 1));
    }
  }

  private Optional<String> sizeQuery(String prefix) throws SQLException {
    return switch (config.database()) {
      case POSTGRES ->
          shardMap().isPresent()
              ? Optional.empty()
              : Optional.of(
                  "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c WHERE c.relkind = 'r'"
                      + " AND c.relname LIKE '"
                      + prefix
                      + "%' AND pg_table_is_visible(c.oid)");
      case MYSQL, MARIADB ->
          Optional.of(
              "SELECT sum(data_length + index_length) FROM information_schema.tables"
                  + " WHERE table_schema = database() AND table_name LIKE '"
                  + prefix
                  + "%'");
      case ORACLE ->
          Optional.of(
              "SELECT sum(bytes) FROM user_segments WHERE segment_name LIKE '"
                  + prefix.toUpperCase(Locale.ROOT)
                  + "%'");
      case FIREBIRD -> Optional.empty();
    };
  }

  /**
   * A connection past the endpoint, as the same user; the caller closes it.
   *
   * @throws io.shardmark.config.ConfigException if the shard cannot be reached from here
   */
  public Connection openShard(Shard shard) {
    return DatabaseConnections.of(config.at(shard.jdbcUrl(), config.password())).open();
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
