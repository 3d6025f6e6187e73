package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reads one shard's lock waits, and whose transactions they are. */
final class WaitQuery {
  /** Cheap: asked on every look, and almost always false. */
  private static final String ANY =
      "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid())";

  /**
   * pg_blocking_pids gives 0 for a prepared transaction (PG18 §9.27 functions-info-session); which
   * one it is, the lock that it holds on the same thing shows, and the lock on its own transaction
   * id gives the name. Things are named as the server's own report of a deadlock does. An ordinary
   * role may read all of it but the statements of others.
   */
  private static final String WAITS =
      """
      WITH l AS MATERIALIZED (SELECT * FROM pg_locks),
           w AS MATERIALIZED
             (SELECT DISTINCT ON (l.pid) l.*, a.query,
                     (to_jsonb(l) ->> 'waitstart')::timestamptz AS since
                FROM l JOIN pg_stat_activity a USING (pid)
               WHERE NOT l.granted AND l.pid <> pg_backend_pid()
                 AND a.datname = current_database()
               ORDER BY l.pid)
      SELECT w.pid, w.virtualtransaction, b.pid,
             coalesce(p.gid,
                      (SELECT min(v.virtualtransaction) FROM l v WHERE v.pid = b.pid), ''),
             w.mode || ' on ' || CASE w.locktype
               WHEN 'relation' THEN 'relation ' || w.relation::regclass
               WHEN 'tuple' THEN
                 'tuple (' || w.page || ',' || w.tuple || ') of relation ' || w.relation::regclass
               WHEN 'transactionid' THEN 'transaction ' || w.transactionid
               WHEN 'virtualxid' THEN 'virtual transaction ' || w.virtualxid
               ELSE w.locktype END,
             coalesce(w.since::text, ''),
             coalesce((extract(epoch FROM clock_timestamp() - w.since) * 1000)::bigint, 0),
             left(regexp_replace(coalesce(w.query, ''), '\\s+', ' ', 'g'), 200)
        FROM w
       CROSS JOIN LATERAL (SELECT DISTINCT unnest(pg_blocking_pids(w.pid))) b (pid)
        LEFT JOIN LATERAL
             (SELECT x.gid
                FROM l h
                JOIN l own
                  ON own.virtualtransaction = h.virtualtransaction AND own.pid IS NULL
                 AND own.locktype = 'transactionid'
                JOIN pg_prepared_xacts x ON x.transaction = own.transactionid
               WHERE b.pid = 0 AND h.pid IS NULL AND h.granted
                 AND (h.locktype, h.database, h.relation, h.page, h.tuple, h.virtualxid,
                      h.transactionid::text, h.classid, h.objid, h.objsubid)
                     IS NOT DISTINCT FROM
                     (w.locktype, w.database, w.relation, w.page, w.tuple, w.virtualxid,
                      w.transactionid::text, w.classid, w.objid, w.objsubid)) p ON true
       WHERE coalesce(w.since <= clock_timestamp() - make_interval(secs => ?), true)
       ORDER BY 7 DESC
      """;

  private WaitQuery() {}

  /**
   * The waits, and what proxies show of them.
   *
   * @param comment to be put before each question
   * @param shard index of the one that the connection leads to
   * @param atLeast leaves out waits that are known to be shorter
   */
  static ShardMonitors.Seen read(Connection connection, String comment, int shard, Duration atLeast)
      throws SQLException {
    if (!ShardSql.isTrue(connection, comment + ANY)) {
      return new ShardMonitors.Seen(List.of(), Map.of());
    }
    // What is shown is read first: its transaction may have ended since, but then waits no more.
    Map<String, Party.PartyTransaction> shown =
        ShownParts.read(ShardSql.texts(connection, comment + ShownParts.QUERY));
    return new ShardMonitors.Seen(
        ShardSql.rows(connection, comment + WAITS, row -> of(shard, row), atLeast.toMillis() / 1e3),
        shown);
  }

  private static LockWait of(int shard, ResultSet row) throws SQLException {
    return new LockWait(
        new ServerTransaction(shard, row.getInt(1), row.getString(2)),
        new ServerTransaction(shard, row.getInt(3), row.getString(4)),
        row.getString(5),
        row.getString(6),
        Duration.ofMillis(row.getLong(7)),
        row.getString(8));
  }
}
