package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.deadlock.LockWait.Blocker;
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

  /**
   * pg_blocking_pids gives 0 for a prepared transaction (PG18 §9.27 functions-info-session); which
   * one it is, the lock that it holds on the same thing tells, and the lock on its own transaction
   * id tells the name. Things are named as the server's own report of a deadlock does.
   */
  private static final String WAITS =
      """
      SELECT w.pid, b.pid, coalesce(p.gid, ''),
             w.mode || ' on ' || CASE w.locktype
               WHEN 'relation' THEN 'relation ' || w.relation::regclass
               WHEN 'tuple' THEN
                 'tuple (' || w.page || ',' || w.tuple || ') of relation ' || w.relation::regclass
               WHEN 'transactionid' THEN 'transaction ' || w.transactionid
               WHEN 'virtualxid' THEN 'virtual transaction ' || w.virtualxid
               ELSE w.locktype END,
             coalesce((extract(epoch FROM clock_timestamp()
               - (to_jsonb(w) ->> 'waitstart')::timestamptz) * 1000)::bigint, 0),
             left(regexp_replace(coalesce(w.query, ''), '\\s+', ' ', 'g'), 200)
        FROM (SELECT DISTINCT ON (l.pid) l.*, a.query
                FROM pg_locks l JOIN pg_stat_activity a USING (pid)
               WHERE NOT l.granted AND l.pid <> pg_backend_pid()
                 AND a.datname = current_database()
               ORDER BY l.pid) w
       CROSS JOIN LATERAL (SELECT DISTINCT unnest(pg_blocking_pids(w.pid))) b (pid)
        LEFT JOIN LATERAL
             (SELECT x.gid
                FROM pg_locks h
                JOIN pg_locks own
                  ON own.virtualtransaction = h.virtualtransaction AND own.pid IS NULL
                 AND own.locktype = 'transactionid'
                JOIN pg_prepared_xacts x ON x.transaction = own.transactionid
               WHERE b.pid = 0 AND h.pid IS NULL AND h.granted
                 AND (h.locktype, h.database, h.relation, h.page, h.tuple, h.virtualxid,
                      h.transactionid::text, h.classid, h.objid, h.objsubid)
                     IS NOT DISTINCT FROM
                     (w.locktype, w.database, w.relation, w.page, w.tuple, w.virtualxid,
                      w.transactionid::text, w.classid, w.objid, w.objsubid)) p ON true
       ORDER BY 5 DESC
      """;

  private final int shard;
  private final ShardAccess access;
  private @Nullable Connection connection;

  WaitQuery(int shard, ShardAccess access) {
    this.shard = shard;
    this.access = access;
  }

  int shard() {
    return shard;
  }

  String shardName() {
    return access.name();
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
                  new Blocker(rows.getInt(2), rows.getString(3), Optional.empty()),
                  rows.getString(4),
                  Duration.ofMillis(rows.getLong(5)),
                  rows.getString(6)));
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
