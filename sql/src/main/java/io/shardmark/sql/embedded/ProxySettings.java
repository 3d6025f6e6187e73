package io.shardmark.sql.embedded;

import io.shardmark.sql.shards.Shard;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The configuration of an embedded proxy.
 *
 * @param shards by index
 * @param role who may log in, and as whom the proxy logs in to the shards
 * @param poolSize server connections for each shard
 */
record ProxySettings(List<Shard> shards, BenchmarkRole role, int poolSize) {
  ProxySettings {
    shards = List.copyOf(shards);
  }

  /**
   * The text of {@code proxy.yaml}.
   *
   * @param sockets directory of its Unix-domain socket
   */
  String yaml(int port, Optional<Path> sockets) {
    StringBuilder text = new StringBuilder("# Written at every start.\n");
    text.append("listen: 127.0.0.1:").append(port).append('\n');
    sockets.ifPresent(
        directory ->
            text.append("unix_socket_directory: %s\n".formatted(quoted(directory.toString()))));
    text.append("shards:\n");
    for (Shard shard : shards) {
      text.append(
          "  - {name: %s, host: %s, port: %d, database: %s}\n"
              .formatted(
                  shard.name(), quoted(shard.host()), shard.port(), quoted(shard.database())));
    }
    text.append("users:\n");
    text.append(
        "  - {name: %s, password: %s}\n"
            .formatted(quoted(role.user()), quoted(role.password().value())));
    text.append("pool_size: ").append(poolSize).append('\n');
    text.append("drain_timeout: 5s\n");
    text.append("cross_shard_isolation: snapshot\n");
    return text.toString();
  }

  private static String quoted(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
