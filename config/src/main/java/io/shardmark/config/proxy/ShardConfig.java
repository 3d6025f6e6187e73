package io.shardmark.config.proxy;

import io.shardmark.config.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One shard: a database on a PostgreSQL server.
 *
 * @param name lower case letters, digits and minus, 1 to 20 of them; part of prepared transactions'
 *     identifiers, so a shard keeps its name for ever
 * @param host name or address, or the absolute path of a directory with the server's Unix-domain
 *     socket, as libpq takes it (PG18 §32.1.2 libpq-connect-host)
 * @param port 1 to 65535; also part of the socket's name
 * @param addressForShards how other shards reach it, if not by host and port
 * @param user the proxy's own login, for catalogs and recovery; clients' connections are opened as
 *     the client's user. Without it the first of {@code users} serves
 * @param password of that login
 * @param hosts where its primary is one of, the others being standbys; {@code host} and {@code
 *     port} are the first's then. Empty: there is only that one
 */
public record ShardConfig(
    String name,
    String host,
    int port,
    Optional<Endpoint> addressForShards,
    String database,
    Optional<String> user,
    Optional<Secret> password,
    ServerTls tls,
    List<Endpoint> hosts) {
  public ShardConfig {
    hosts = List.copyOf(hosts);
  }

  /** The same wherever its servers are, if it has a list of them: that list can be reloaded. */
  ShardConfig apartFromHosts() {
    return hosts.isEmpty()
        ? this
        : new ShardConfig(
            name,
            "",
            0,
            addressForShards,
            database,
            user,
            password,
            tls,
            List.of(new Endpoint("", 0)));
  }

  /** Where its server is or may be. */
  public List<Endpoint> places() {
    return hosts.isEmpty() ? List.of(new Endpoint(host, port)) : hosts;
  }

  /** The socket that libpq looks for in a directory. */
  static Path socketIn(Path directory, int port) {
    return directory.resolve(".s.PGSQL." + port);
  }

  /** {@code host:port/database}, for messages. */
  public String address() {
    return places().stream().map(Endpoint::toString).collect(Collectors.joining(",", "", "/"))
        + database;
  }
}
