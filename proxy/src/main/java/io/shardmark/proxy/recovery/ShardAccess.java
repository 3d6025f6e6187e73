package io.shardmark.proxy.recovery;

import io.shardmark.proxy.catalog.ShardConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** How background threads reach a shard. Thread-safe. */
public interface ShardAccess {
  /** As configured. */
  String name();

  /**
   * Opens a connection in auto-commit mode; the caller closes it. Blocks no longer than the time
   * limits of its settings.
   *
   * @throws SQLException if the shard cannot be reached or refuses
   */
  Connection open() throws SQLException;

  /** All configured shards, in their order. */
  static List<ShardAccess> all(ShardConnections connections) {
    record Configured(ShardConnections connections, int shard) implements ShardAccess {
      @Override
      public String name() {
        return connections.shardName(shard);
      }

      @Override
      public Connection open() throws SQLException {
        return connections.open(shard);
      }
    }
    List<ShardAccess> all = new ArrayList<>();
    for (int shard = 0; shard < connections.shardCount(); shard++) {
      all.add(new Configured(connections, shard));
    }
    return List.copyOf(all);
  }
}
