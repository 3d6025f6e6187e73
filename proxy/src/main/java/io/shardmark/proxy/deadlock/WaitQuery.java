package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.recovery.ShardAccess;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads one shard's lock waits over a connection that it keeps. Belongs to one thread. */
final class WaitQuery implements AutoCloseable {
  /** Cheap: asked on every look, and almost always false. */
  private static final String ANY =
      "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid())";

  /** pg_blocking_pids gives 0 for a prepared transaction (PG18 §9.27 functions-info-session). */
  private static final String WAITS =
      """
      SELECT w.pid, b.pid,
             w.locktype || ' ' || w.mode || coalesce(' on ' || w.relation::regclass::text, ''),
             coalesce((extract(epoch FROM clock_timestamp()
               - (to_jsonb(w) ->> 'waitstart')::timestamptz) * 1000)::bigint, 0)
        FROM (SELECT DISTINCT ON (l.pid) l.*
                FROM pg_locks l JOIN pg_stat_activity a USING (pid)
               WHERE NOT l.granted AND l.pid <> pg_backend_pid()
                 AND a.datname = current_database()
               ORDER BY l.pid) w,
             LATERAL (SELECT DISTINCT unnest(pg_blocking_pids(w.pid))) b (pid)
      """;

  private final int shard;
  private final ShardAccess access;
  private @Nullable Connection connection;

  WaitQuery(int shard, ShardAccess access) {
    this.shard = shard;
    this.access = access;
  }

  /** The waits, without the transactions they belong to. */
  List<LockWait> read() throws SQLException {
    try {
      Connection open = connection;
      if (open == null) {
        open = access.open();
        connection = open;
      }
      return read(open);
    } catch (SQLException e) {
      close();
      throw e;
    }
  }

  private List<LockWait> read(Connection open) throws SQLException {
    List<LockWait> waits = new ArrayList<>();
    try (Statement statement = open.createStatement()) {
      try (ResultSet any = statement.executeQuery(ANY)) {
        if (!any.next() || !any.getBoolean(1)) {
          return waits;
        }
      }
      try (ResultSet rows = statement.executeQuery(WAITS)) {
        while (rows.next()) {
          waits.add(
              new LockWait(
                  shard,
                  rows.getInt(1),
                  Optional.empty(),
                  rows.getInt(2),
                  Optional.empty(),
                  rows.getString(3),
                  Duration.ofMillis(rows.getLong(4))));
        }
      }
    }
    return waits;
  }

  @Override
  public void close() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        // It was broken already; the next look opens another.
      }
    }
  }
}
