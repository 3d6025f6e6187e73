package io.shardmark.loader;

import io.shardmark.loader.data.LoadUnit;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes the units of a partition straight to its shard, and those of none, which are on every
 * shard, through the endpoint. Opens the connections it needs as it comes to need them.
 */
final class ShardedSession implements UnitSession {
  private static final int ENDPOINT = -1;

  private final ConnectionSource endpoint;
  private final DirectShards shards;
  private final DatabaseSession.Setup setup;
  private final Map<Integer, DatabaseSession> open = new HashMap<>();

  ShardedSession(ConnectionSource endpoint, DirectShards shards, DatabaseSession.Setup setup) {
    this.endpoint = endpoint;
    this.shards = shards;
    this.setup = setup;
  }

  @Override
  public long load(LoadUnit unit) throws SQLException {
    int shard = unit.partition() == 0 ? ENDPOINT : shards.shardOf(unit.partition());
    DatabaseSession session = open.get(shard);
    if (session == null) {
      session = DatabaseSession.open(shard == ENDPOINT ? endpoint : shards.source(shard), setup);
      open.put(shard, session);
    }
    return session.load(unit);
  }

  @Override
  public void close() throws SQLException {
    SQLException failure = null;
    for (DatabaseSession session : open.values()) {
      try {
        session.close();
      } catch (SQLException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
