package io.shardmark.sql.shards;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * A shard as its endpoint names it.
 *
 * @param index from 0, in the endpoint's order
 * @param name the endpoint's name for it
 * @param host as the endpoint reaches it
 * @param port as the endpoint reaches it
 * @param database on that server
 */
public record Shard(int index, String name, String host, int port, String database) {

  /** For a connection past the endpoint, without user and password. */
  public String jdbcUrl() {
    String address = host.contains(":") ? "[" + host + "]" : host;
    String encoded = URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20");
    return "jdbc:postgresql://" + address + ":" + port + "/" + encoded;
  }

  /** {@code name (host:port/database)}, for messages. */
  public String describe() {
    return name + " (" + host + ":" + port + "/" + database + ")";
  }
}
