package io.shardmark.sql.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.DatabaseKind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.function.Supplier;

/**
 * Opens connections to one database. Thread-safe.
 *
 * <p>{@code conn=embedded:...} is not handled here: give a configuration with the JDBC URL of the
 * server that was started.
 */
public final class DatabaseConnections {
  private final ConnectionConfig config;
  private final Driver driver;
  private final Supplier<String> url;

  private DatabaseConnections(ConnectionConfig config, Driver driver, Supplier<String> url) {
    this.config = config;
    this.driver = driver;
    this.url = url;
  }

  /**
   * Loads the JDBC driver, from the class path or from {@code lib/<db>/*.jar} next to the running
   * jar or in the working directory. Connects to nothing yet.
   *
   * @throws ConfigException if there is no such driver, naming the folders searched
   */
  public static DatabaseConnections of(ConnectionConfig config, Path workingDirectory) {
    Driver driver =
        new DriverLoader(workingDirectory).load(config.database(), config.driverClass());
    return new DatabaseConnections(
        config,
        driver,
        HostsInTurns.areAskedFor(config.url())
            ? new HostsInTurns(config.url())::next
            : config::url);
  }

  /** As {@link #of(ConnectionConfig, Path)} with the process's working directory. */
  public static DatabaseConnections of(ConnectionConfig config) {
    return of(config, Path.of(""));
  }

  /** The same, which begins each connection at the next host if the URL has several. */
  public DatabaseConnections inTurns() {
    return new DatabaseConnections(config, driver, new HostsInTurns(config.url())::next);
  }

  /**
   * Opens a connection in auto-commit mode; the caller closes it.
   *
   * @throws ConfigException if that fails: one line with the cause and the key to look at
   */
  public Connection open() {
    try {
      return connect();
    } catch (SQLException e) {
      throw ConnectFailure.of(config, e);
    }
  }

  /**
   * Opens a pool with all its connections, several at a time; the caller closes it.
   *
   * <p>Its connections have auto-commit off and are handed out without asking the server whether
   * they still live. One that fails with a connection error is thrown away when it is given back
   * and replaced in the background, trying again until the server is there. When the server was
   * restarted, the idle ones are dead too: after the first error of class CONNECTION_LOST call
   * {@code getHikariPoolMXBean().softEvictConnections()} to have all of them replaced at once.
   *
   * @throws ConfigException if a connection cannot be opened: one line; none is left open then
   */
  public HikariDataSource pool(PoolConfig pool) {
    return PoolOpener.open(this, pool);
  }

  /** Opens a connection for the pool, which deals with the failure itself. */
  Connection connect() throws SQLException {
    Connection connection = driver.connect(url.get(), ConnectionSettings.properties(config));
    if (connection == null) {
      throw ConnectFailure.urlNotAccepted(config);
    }
    try {
      ConnectionSettings.limitStatementTime(connection, config);
      if (config.isolation().jdbcLevel().isPresent()) {
        connection.setTransactionIsolation(config.isolation().jdbcLevel().getAsInt());
      }
      return connection;
    } catch (SQLException | ConfigException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * True if the driver's blocking reads and writes do not react to {@link Thread#interrupt}. Known
   * of pgjdbc; Oracle's driver closes the connection.
   */
  boolean ignoresInterrupts() {
    return config.database() == DatabaseKind.POSTGRES;
  }

  ConfigException failure(SQLException error) {
    return ConnectFailure.of(config, error);
  }
}
