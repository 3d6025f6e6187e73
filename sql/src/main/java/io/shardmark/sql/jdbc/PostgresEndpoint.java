package io.shardmark.sql.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** A host and port that a JDBC URL of PostgreSQL names. */
public record PostgresEndpoint(String host, int port) {
  /**
   * What a URL says in addition to its options.
   *
   * @param endpoints one or more, in its order
   */
  public record Target(List<PostgresEndpoint> endpoints, String database) {
    public Target {
      endpoints = List.copyOf(endpoints);
    }
  }

  /**
   * @param user whose name is the database's where the URL has none
   * @return empty if the URL is not pgjdbc's
   */
  public static Optional<Target> of(String url, String user) {
    Properties parsed = Driver.parseURL(url, new Properties());
    if (parsed == null) {
      return Optional.empty();
    }
    String[] hosts = String.valueOf(PGProperty.PG_HOST.getOrDefault(parsed)).split(",", -1);
    String[] ports = String.valueOf(PGProperty.PG_PORT.getOrDefault(parsed)).split(",", -1);
    List<PostgresEndpoint> endpoints = new ArrayList<>();
    for (int i = 0; i < hosts.length; i++) {
      endpoints.add(
          new PostgresEndpoint(hosts[i], Integer.parseInt(ports[Math.min(i, ports.length - 1)])));
    }
    String database = PGProperty.PG_DBNAME.getOrDefault(parsed);
    return Optional.of(new Target(endpoints, database == null ? user : database));
  }

  @Override
  public String toString() {
    return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
  }
}
