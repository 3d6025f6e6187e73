package io.shardmark.sql.jdbc;

import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;

/** What each database is sent when a connection is opened. */
final class ConnectionSettings {
  private static final String APPLICATION = "shardmark";

  /** BenchmarkSQL's choice for Firebird: read committed, and wait for others' locks. */
  private static final String FIREBIRD_READ_COMMITTED =
      "isc_tpb_read_committed,isc_tpb_no_rec_version,isc_tpb_write,isc_tpb_wait";

  private ConnectionSettings() {}

  /** Driver properties; what the JDBC URL says goes before them. */
  static Properties properties(ConnectionConfig config) {
    Properties properties = new Properties();
    properties.setProperty("user", config.user());
    properties.setProperty("password", config.password().value());
    long timeoutMillis = Math.max(1, config.connectTimeout().toMillis());
    String timeoutSeconds = Long.toString((timeoutMillis + 999) / 1000);
    switch (config.database()) {
      case POSTGRES -> {
        // No socketTimeout, and sockets that forget the timeouts of connecting: a timeout makes
        // three system calls of every read.
        properties.setProperty("socketFactory", PostgresSocketFactory.class.getName());
        PostgresSocketFactory.path(config.url())
            .ifPresent(path -> properties.setProperty("socketFactoryArg", path));
        properties.setProperty("connectTimeout", timeoutSeconds);
        properties.setProperty("loginTimeout", timeoutSeconds);
        properties.setProperty("ApplicationName", APPLICATION);
        properties.setProperty("tcpKeepAlive", "true");
      }
      case ORACLE -> {
        properties.setProperty("oracle.net.CONNECT_TIMEOUT", Long.toString(timeoutMillis));
        properties.setProperty("v$session.program", APPLICATION);
        // The driver keeps no statements by default, and the pool none at all.
        properties.setProperty("oracle.jdbc.implicitStatementCacheSize", "100");
      }
      case MYSQL, MARIADB -> properties.setProperty("connectTimeout", Long.toString(timeoutMillis));
      case FIREBIRD -> {
        properties.setProperty("connectTimeout", timeoutSeconds);
        properties.setProperty("TRANSACTION_READ_COMMITTED", FIREBIRD_READ_COMMITTED);
      }
    }
    return properties;
  }

  /**
   * Limits the time of statements in this session where the server can do that. MySQL's limit holds
   * for SELECT only.
   *
   * @param connection in auto-commit mode
   * @throws ConfigException if the server cannot
   */
  static void limitStatementTime(Connection connection, ConnectionConfig config)
      throws SQLException {
    Duration timeout = config.statementTimeout();
    if (timeout.isZero()) {
      return;
    }
    long millis = Math.max(1, timeout.toMillis());
    switch (config.database()) {
      case POSTGRES -> execute(connection, "SET statement_timeout = " + millis);
      case MYSQL, MARIADB -> {
        // Either key may name either server.
        boolean isMariaDb =
            connection.getMetaData().getDatabaseProductVersion().contains("MariaDB")
                || connection.getMetaData().getDatabaseProductName().contains("MariaDB");
        execute(
            connection,
            isMariaDb
                ? "SET SESSION max_statement_time = %d.%03d".formatted(millis / 1000, millis % 1000)
                : "SET SESSION max_execution_time = " + millis);
      }
      case ORACLE, FIREBIRD ->
          throw new ConfigException(
              "statementTimeoutSecs=%d: db=%s cannot limit the statements of a session; expected 0"
                  .formatted(timeout.toSeconds(), config.database().propertyName()));
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
