package io.shardmark.sql.shards;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A shard as its endpoint names it.
 *
 * @param index from 0, in the endpoint's order
 * @param name the endpoint's name for it
 * @param host as the endpoint reaches it; a path is the directory of its Unix-domain socket
 * @param port as the endpoint reaches it
 * @param database on that server
 */
public record Shard(int index, String name, String host, int port, String database) {

  /** For a connection past the endpoint, without user and password. */
  public String jdbcUrl() {
    String address = host.contains(":") ? "[" + host + "]" : isSocket() ? "localhost" : host;
    String encoded = URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20");
    return "jdbc:postgresql://%s:%d/%s%s"
        .formatted(address, port, encoded, socket().map(path -> "?unixSocket=" + path).orElse(""));
  }

  private boolean isSocket() {
    return host.startsWith("/");
  }

  /** The path of its Unix-domain socket; empty if it is reached by TCP. */
  public Optional<String> socket() {
    return isSocket() ? Optional.of("%s/.s.PGSQL.%d".formatted(host, port)) : Optional.empty();
  }

  /** {@code name (host:port/database)}, for messages. */
  public String describe() {
    return name + " (" + host + ":" + port + "/" + database + ")";
  }
}
