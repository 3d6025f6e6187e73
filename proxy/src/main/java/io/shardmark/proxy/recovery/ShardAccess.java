package io.shardmark.proxy.recovery;

import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.protocol.SqlState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.AbstractList;
import java.util.List;
import java.util.function.UnaryOperator;

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

  /** All shards that count, in their order; grows when one more does. */
  static List<ShardAccess> all(ShardConnections connections) {
    return all(connections, shard -> "");
  }

  /**
   * The same.
   *
   * @param whyClosed why a shard of that name must not be used now, "" if it may be
   */
  static List<ShardAccess> all(ShardConnections connections, UnaryOperator<String> whyClosed) {
    return new AbstractList<>() {
      @Override
      public ShardAccess get(int shard) {
        return configured(connections, shard, whyClosed);
      }

      @Override
      public int size() {
        return connections.shardCount();
      }
    };
  }

  /** The shard of that index, whether it counts or not. */
  static ShardAccess configured(
      ShardConnections connections, int index, UnaryOperator<String> whyClosed) {
    record Configured(ShardConnections connections, int shard, UnaryOperator<String> whyClosed)
        implements ShardAccess {
      @Override
      public String name() {
        return connections.shardName(shard);
      }

      @Override
      public Connection open() throws SQLException {
        if (shard >= connections.shards().size()) {
          throw new SQLException(
              "it is not in the configuration any more", SqlState.CONNECTION_FAILURE.code());
        }
        String closed = whyClosed.apply(name());
        if (!closed.isEmpty()) {
          throw new SQLException(closed, SqlState.CONNECTION_FAILURE.code());
        }
        return connections.open(shard);
      }
    }
    return new Configured(connections, index, whyClosed);
  }
}
