package io.shardmark.config.proxy;

import io.shardmark.config.Secret;
import java.util.Optional;

/**
 * One shard: a database on a PostgreSQL server.
 *
 * @param name lower case letters, digits and minus, 1 to 20 of them; part of prepared transactions'
 *     identifiers, so a shard keeps its name for ever
 * @param port 1 to 65535
 * @param user the proxy's own login, for catalogs and recovery; clients' connections are opened as
 *     the client's user. Without it the first of {@code users} serves
 * @param password of that login
 */
public record ShardConfig(
    String name,
    String host,
    int port,
    String database,
    Optional<String> user,
    Optional<Secret> password,
    ServerTls tls) {

  /** {@code host:port/database}, for messages. */
  public String address() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port + "/" + database;
  }
}
