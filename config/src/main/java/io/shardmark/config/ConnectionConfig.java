package io.shardmark.config;

import java.time.Duration;

/**
 * How to reach the database.
 *
 * @param database key {@code db}
 * @param driverClass key {@code driver}: the JDBC driver's class name
 * @param url key {@code conn}: a JDBC URL, passed unchanged, or {@code
 *     embedded:postgres[?option=value&...]} or {@code embedded:sharded[?...]}
 * @param user key {@code user}
 * @param password key {@code password}
 * @param connectTimeout key {@code connectTimeoutSecs}: how long opening one connection may take
 * @param statementTimeout key {@code statementTimeoutSecs}: how long one statement may take on the
 *     server; zero means no limit
 * @param isolation key {@code isolation}: isolation level of the transactions
 * @param shardMap key {@code shardMap}: whether the endpoint is asked for its shards
 */
public record ConnectionConfig(
    DatabaseKind database,
    String driverClass,
    String url,
    String user,
    Secret password,
    Duration connectTimeout,
    Duration statementTimeout,
    IsolationLevel isolation,
    ShardMapUse shardMap) {

  /** The same database under another URL and password: those of a server that was started. */
  public ConnectionConfig at(String otherUrl, Secret otherPassword) {
    return new ConnectionConfig(
        database,
        driverClass,
        otherUrl,
        user,
        otherPassword,
        connectTimeout,
        statementTimeout,
        isolation,
        shardMap);
  }

  /** The same without a limit of the statements' time. */
  public ConnectionConfig withoutStatementTimeout() {
    return new ConnectionConfig(
        database,
        driverClass,
        url,
        user,
        password,
        connectTimeout,
        Duration.ZERO,
        isolation,
        shardMap);
  }

  /** True if {@code conn} asks for servers that we start ourselves. */
  public boolean isEmbedded() {
    return url.startsWith("embedded:");
  }

  /** True if {@code conn} asks for a database that answers at once and keeps nothing. */
  public boolean isNothing() {
    return url.equals("null:");
  }

  /** The URL without the passwords that it may hold: what console and files show. */
  public String maskedUrl() {
    return PasswordMask.inUrls(url);
  }
}
