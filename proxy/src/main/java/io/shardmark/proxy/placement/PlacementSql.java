package io.shardmark.proxy.placement;

import io.shardmark.proxy.commit.ProxyLock;

/**
 * What proxies say to each other through a shard. The lock {@link ProxyLock#PRESENCE} is held
 * shared by each proxy that is present, as long as its connection lasts; {@link ProxyLock#MOVE}
 * with its number by a transaction that moves tables until it has ended there, also while it is
 * prepared.
 */
final class PlacementSql {
  /** Movers say here what they move. */
  static final String MOVES = "shardmark_moves";

  /** All say here that they keep off. */
  static final String KEPT_OFF = "shardmark_kept_off";

  static final String LISTEN = "LISTEN " + MOVES + "; LISTEN " + KEPT_OFF;

  /** Execute it only after LISTEN: movers expect an answer from each one present. */
  static final String BE_PRESENT =
      "SELECT " + ProxyLock.PRESENCE.call("pg_advisory_lock_shared", 0);

  /**
   * Server processes by which proxies are present, with 0, and moves that have not ended here, with
   * their number.
   */
  static final String STATE =
      "SELECT coalesce(l.pid, 0), CASE l.classid WHEN %1$d THEN l.objid::bigint ELSE 0 END"
              .formatted(ProxyLock.MOVE.classId())
          + " FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted"
          + " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
          + " AND (l.classid = %1$d AND l.mode = 'ExclusiveLock' OR l.classid = %2$d)"
              .formatted(ProxyLock.MOVE.classId(), ProxyLock.PRESENCE.classId());

  /** The same, having sent what it is given to all who listen; they hear it when it has ended. */
  static final String ASK =
      STATE + " UNION ALL SELECT 0, -1 FROM (SELECT pg_notify('" + MOVES + "', ?)) said";

  private PlacementSql() {}

  /** For the moving transaction, on each of its servers. */
  static String mark(int move) {
    return "SELECT " + ProxyLock.MOVE.call("pg_advisory_xact_lock", move);
  }
}
