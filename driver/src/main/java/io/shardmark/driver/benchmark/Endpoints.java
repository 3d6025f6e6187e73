package io.shardmark.driver.benchmark;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.sql.jdbc.DatabaseConnections;
import java.sql.Connection;
import java.util.List;

/**
 * The servers of a run: the one that its transactions go to, and others that a workload looks at.
 * All have the same user, password and JDBC driver. Immutable, safe on any thread.
 *
 * @param primary where the transactions go
 * @param standbyUrls of the standbys that {@code conn=embedded:replicated} has started
 */
public record Endpoints(ConnectionConfig primary, List<String> standbyUrls) {
  public Endpoints {
    standbyUrls = List.copyOf(standbyUrls);
  }

  /** The key of a workload that needs the standbys' URLs, with blanks between them. */
  public static final String STANDBY_KEY = "standbyConn";

  /**
   * A connection in addition to those of the terminals, in auto-commit mode; the caller closes it.
   *
   * @throws io.shardmark.config.ConfigException if that fails
   */
  public Connection open() {
    return DatabaseConnections.of(primary).open();
  }

  /** The same to another endpoint. */
  public Connection open(String url) {
    return DatabaseConnections.of(primary.at(url, primary.password())).open();
  }
}
