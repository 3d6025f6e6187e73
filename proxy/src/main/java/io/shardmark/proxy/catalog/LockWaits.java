package io.shardmark.proxy.catalog;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Who waits for whose lock on the shards, as pg_locks has it now. Blocks on JDBC. */
public final class LockWaits {
  private static final String WAITS =
      """
      select w.pid, b.pid, coalesce(w.wait_event_type || ' ' || w.wait_event, ''),
             coalesce(left(regexp_replace(w.query, '\\s+', ' ', 'g'), 200), '')
      from pg_stat_activity w
      cross join lateral unnest(pg_blocking_pids(w.pid)) b (pid)
      where w.datname = current_database() and w.wait_event_type = 'Lock'
      order by w.query_start""";

  private LockWaits() {}

  /**
   * One waiting server process.
   *
   * @param holdingProcess 0 for a prepared transaction, which has none
   */
  public record Wait(
      String shard, int waitingProcess, int holdingProcess, String lock, String statement) {}

  /** All shards' waits; a shard that does not answer has a row that says so. */
  public static List<Wait> read(ShardConnections connections) {
    List<Wait> waits = new ArrayList<>();
    for (int shard = 0; shard < connections.shardCount(); shard++) {
      String name = connections.shardName(shard);
      try (Connection connection = connections.open(shard);
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(WAITS)) {
        while (row.next()) {
          waits.add(
              new Wait(name, row.getInt(1), row.getInt(2), row.getString(3), row.getString(4)));
        }
      } catch (SQLException e) {
        waits.add(new Wait(name, 0, 0, "shard cannot be asked", String.valueOf(e.getMessage())));
      }
    }
    return waits;
  }
}
