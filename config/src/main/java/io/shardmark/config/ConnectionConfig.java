package io.shardmark.config;

import java.time.Duration;

/**
 * How to reach the database.
 *
 * @param database key {@code db}
 * @param driverClass key {@code driver}: the JDBC driver's class name
 * @param url key {@code conn}: a JDBC URL, passed unchanged, or {@code
 *     embedded:postgres[?option=value&...]}
 * @param user key {@code user}
 * @param password key {@code password}
 * @param connectTimeout key {@code connectTimeoutSecs}: how long opening one connection may take
 * @param statementTimeout key {@code statementTimeoutSecs}: how long one statement may take on the
 *     server; zero means no limit
 */
public record ConnectionConfig(
    DatabaseKind database,
    String driverClass,
    String url,
    String user,
    Secret password,
    Duration connectTimeout,
    Duration statementTimeout) {

  /** True if {@code conn} asks for servers that we start ourselves. */
  public boolean isEmbedded() {
    return url.startsWith("embedded:");
  }
}
