package io.shardmark.proxy.recovery;

import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.protocol.SqlState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

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
    return all(connections, shard -> "");
  }

  /**
   * The same.
   *
   * @param whyClosed why a shard of that name must not be used now, "" if it may be
   */
  static List<ShardAccess> all(ShardConnections connections, UnaryOperator<String> whyClosed) {
    record Configured(ShardConnections connections, int shard, UnaryOperator<String> whyClosed)
        implements ShardAccess {
      @Override
      public String name() {
        return connections.shardName(shard);
      }

      @Override
      public Connection open() throws SQLException {
        String closed = whyClosed.apply(name());
        if (!closed.isEmpty()) {
          throw new SQLException(closed, SqlState.CONNECTION_FAILURE.code());
        }
        return connections.open(shard);
      }
    }
    return IntStream.range(0, connections.shardCount())
        .<ShardAccess>mapToObj(shard -> new Configured(connections, shard, whyClosed))
        .toList();
  }
}
