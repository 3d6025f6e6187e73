package io.shardmark.loader;

import io.shardmark.sql.shards.Shard;
import io.shardmark.sql.shards.ShardMap;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The shards of the endpoint that is loaded.
 *
 * @param map which row is where
 * @param connections past the endpoint
 */
public record ShardTarget(ShardMap map, ShardConnections connections) {

  /** Opens connections to shards. Called from several threads. */
  @FunctionalInterface
  public interface ShardConnections {
    /**
     * A new connection, which the caller closes.
     *
     * @throws io.shardmark.config.ConfigException if the shard cannot be reached from here
     */
    Connection open(Shard shard) throws SQLException;
  }
}
