package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import java.util.Optional;

/**
 * The options of {@code embedded:sharded[?option=value&...]}: {@code shards} and those of {@code
 * embedded:postgres}, which hold for every shard.
 *
 * @param shards {@code shards}: 1 to 64, 2 if it is not given
 * @param server {@code data} is a directory with one for each shard in it, {@code port} the
 *     proxy's, {@code memory} that of all shards together
 */
record ShardedOptions(int shards, EmbeddedOptions server) {
  static final String PREFIX = "embedded:sharded";

  private static final int MOST_SHARDS = 64;
  private static final int DEFAULT_SHARDS = 2;
  private static final long MIN_MEMORY_BYTES = 64L << 20;

  static boolean isMeant(String conn) {
    return conn.equals(PREFIX) || conn.startsWith(PREFIX + "?");
  }

  /**
   * @throws ConfigException if {@code conn} is not of the form above
   */
  static ShardedOptions parse(String conn) {
    EmbeddedOptions.Extended options = EmbeddedOptions.parse(conn, PREFIX, "shards");
    return new ShardedOptions(
        options.own().map(ShardedOptions::count).orElse(DEFAULT_SHARDS), options.server());
  }

  private static int count(String text) {
    int count = text.matches("\\d{1,3}") ? Integer.parseInt(text) : 0;
    if (count < 1 || count > MOST_SHARDS) {
      throw new ConfigException(
          "conn: option shards is \"%s\", expected a whole number from 1 to %d"
              .formatted(text, MOST_SHARDS));
    }
    return count;
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
