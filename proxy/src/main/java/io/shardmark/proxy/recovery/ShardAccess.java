package io.shardmark.proxy.recovery;

import java.sql.Connection;
import java.sql.SQLException;

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
}
