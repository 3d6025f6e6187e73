package io.shardmark.driver.run;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.Secret;
import io.shardmark.sql.embedded.EmbeddedServer;
import io.shardmark.sql.jdbc.DatabaseConnections;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The database a command works on: one that is there, or an embedded server that lives as long as
 * this object.
 */
public final class Database implements AutoCloseable {
  private static final String EMBEDDED_DATABASE = "benchmarksql";

  private final ConnectionConfig config;
  private final DatabaseConnections connections;
  private final @Nullable EmbeddedServer server;

  private Database(ConnectionConfig config, @Nullable EmbeddedServer server) {
    this.config = config;
    this.server = server;
    this.connections = DatabaseConnections.of(config);
  }

  /**
   * Loads the JDBC driver, after starting the server if {@code conn} asks for an embedded one.
   * Connects to nothing else yet.
   *
   * @param connectionCount how many connections the caller will open at once
   * @param progress told one line for each step that takes time
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
    EmbeddedServer server =
        EmbeddedServer.start(
            config.url(), config.user(), password, EMBEDDED_DATABASE, connectionCount, progress);
    return new Database(withUrl(config, server.jdbcUrl(), password), server);
  }

  private static ConnectionConfig withUrl(ConnectionConfig config, String url, Secret password) {
    return new ConnectionConfig(
        config.database(),
        config.driverClass(),
        url,
        config.user(),
        password,
        config.connectTimeout(),
        config.statementTimeout(),
        config.isolation());
  }

  /** How the database is reached; with an embedded server, its JDBC URL. */
  public ConnectionConfig config() {
    return config;
  }

  public DatabaseConnections connections() {
    return connections;
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
