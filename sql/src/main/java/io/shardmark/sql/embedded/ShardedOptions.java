package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The options of {@code embedded:sharded[?option=value&...]}: {@code shards}, {@code proxies}, and
 * those of {@code embedded:postgres}, which hold for every shard.
 *
 * @param shards {@code shards}: 1 to 64, 2 if it is not given
 * @param proxies {@code proxies}: 1 to 64, 1 if it is not given
 * @param server {@code data} is a directory with one for each shard in it, {@code port} the first
 *     proxy's (the others take those that follow), {@code memory} that of all shards together
 */
record ShardedOptions(int shards, int proxies, EmbeddedOptions server) {
  static final String PREFIX = "embedded:sharded";

  private static final int MOST = 64;
  private static final int DEFAULT_SHARDS = 2;
  private static final String SHARDS = "shards";
  private static final String PROXIES = "proxies";
  private static final List<String> OWN = List.of(SHARDS, PROXIES);
  private static final long MIN_MEMORY_BYTES = 64L << 20;

  static boolean isMeant(String conn) {
    return conn.equals(PREFIX) || conn.startsWith(PREFIX + "?");
  }

  /**
   * @throws ConfigException if {@code conn} is not of the form above
   */
  static ShardedOptions parse(String conn) {
    EmbeddedOptions.Extended options = EmbeddedOptions.parse(conn, PREFIX, OWN);
    return new ShardedOptions(
        count(options, SHARDS, DEFAULT_SHARDS), count(options, PROXIES, 1), options.server());
  }

  private static int count(EmbeddedOptions.Extended options, String name, int missing) {
    String text = options.own().getOrDefault(name, Integer.toString(missing));
    int count = text.matches("\\d{1,3}") ? Integer.parseInt(text) : 0;
    if (count < 1 || count > MOST) {
      throw new ConfigException(
          "conn: option %s is \"%s\", expected a whole number from 1 to %d"
              .formatted(name, text, MOST));
    }
    return count;
  }

  /** One line on what is started behind {@code conn}. */
  String announcement() {
    return proxies == 1
        ? "Starting the sharding proxy over %d shards".formatted(shards)
        : "Starting %d sharding proxies over %d shards".formatted(proxies, shards);
  }

  /**
   * The options of one proxy.
   *
   * @param data where its files lie; empty for a temporary directory
   */
  record OfProxy(Optional<Path> data, boolean keep, Optional<Integer> port) {}

  /** The options of one proxy, from 0. */
  OfProxy ofProxy(int index) {
    return new OfProxy(
        server.data().map(path -> path.resolve(index == 0 ? "proxy" : "proxy" + (index + 1))),
        server.keep(),
        server.port().map(port -> port + index));
  }

  /** The options of one shard's server. */
  EmbeddedOptions ofShard(String name) {
    long memory = server.memoryBytes().orElseGet(() -> EmbeddedServer.machineMemoryBytes() / 2);
    return new EmbeddedOptions(
        server.data().map(directory -> directory.resolve(name)),
        server.keep(),
        Optional.empty(),
        Optional.of(Math.max(MIN_MEMORY_BYTES, memory / shards)),
        server.fsync(),
        server.connections(),
        server.settings());
  }
}
