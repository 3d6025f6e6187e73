package io.shardmark.proxy.placement;

/**
 * What proxies say to each other through a shard. Locks are advisory ones of two numbers, of which
 * the first is always the same: (N, 0) is held shared by each proxy that is present, as long as its
 * connection lasts; (N, move) is held by a transaction that moves tables until it has ended there,
 * also while it is prepared.
 */
final class PlacementSql {
  /** Any number will do. */
  private static final int CLASS = 1_399_350_603;

  private static final String OURS =
      " FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted"
          + " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
          + " AND l.classid = "
          + CLASS;

  /** Movers say here what they move. */
  static final String MOVES = "shardmark_moves";

  /** The others say here that they keep off. */
  static final String KEPT_OFF = "shardmark_kept_off";

  static final String LISTEN_TO_MOVES = "LISTEN " + MOVES;
  static final String LISTEN_TO_ANSWERS = "LISTEN " + KEPT_OFF;

  /** Execute it only after LISTEN: other proxies expect an answer from each one present. */
  static final String BE_PRESENT = "SELECT pg_advisory_lock_shared(" + CLASS + ", 0)";

  /** Server processes by which proxies are present. */
  static final String PRESENT = "SELECT l.pid" + OURS + " AND l.objid = 0";

  /** Moves that have not ended here. */
  static final String UNDER_WAY =
      "SELECT l.objid::bigint" + OURS + " AND l.objid <> 0 AND l.mode = 'ExclusiveLock'";

  /** Whether a move has ended here. */
  static final String IS_OVER = "SELECT pg_try_advisory_xact_lock_shared(" + CLASS + ", ?)";

  private PlacementSql() {}

  /** For the moving transaction, on each of its servers. */
  static String mark(int move) {
    return "SELECT pg_catalog.pg_advisory_xact_lock(" + CLASS + ", " + move + ")";
  }
}
