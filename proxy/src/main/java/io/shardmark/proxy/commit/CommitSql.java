package io.shardmark.proxy.commit;

/**
 * Every statement of the commit protocol. Gids hold nothing that would need quoting (see {@link
 * Gid}), so they are in the text.
 */
public final class CommitSql {
  /** Where the decisions are, on every shard. */
  public static final String CREATE_SCHEMA = "CREATE SCHEMA IF NOT EXISTS shardmark";

  public static final String CREATE_TABLE =
      "CREATE TABLE IF NOT EXISTS shardmark.decision (gid text PRIMARY KEY,"
          + " committed boolean NOT NULL, decided_at timestamptz NOT NULL DEFAULT now())";

  /** Taken while creating them, since two proxies may start at once. */
  public static final String LOCK_CREATION =
      "SELECT " + ProxyLock.CREATION.call("pg_advisory_xact_lock", 0);

  public static final String TABLE_MISSING = "SELECT to_regclass('shardmark.decision') IS NULL";

  /** Whether two decisions of one transaction exclude each other, which all of this builds on. */
  public static final String DECISION_IS_UNIQUE =
      "SELECT EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid"
          + " WHERE i.indrelid = 'shardmark.decision'::regclass AND a.attname = 'gid'"
          + " AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indnkeyatts = 1"
          + " AND i.indkey[0] = a.attnum AND i.indpred IS NULL)";

  /** Quoted names of those of the given roles that cannot yet record a decision. */
  public static final String ROLES_WITHOUT_INSERT =
      "SELECT quote_ident(rolname) FROM pg_roles WHERE rolname = ANY (?)"
          + " AND NOT (has_schema_privilege(oid, 'shardmark', 'USAGE')"
          + " AND has_table_privilege(oid, 'shardmark.decision', 'INSERT'))";

  /**
   * Gid, owner's quoted name and age in milliseconds of what proxies have prepared in this
   * database.
   */
  public static final String SELECT_PREPARED =
      "SELECT gid, quote_ident(owner), (extract(epoch FROM clock_timestamp() - prepared) *"
          + " 1000)::bigint FROM pg_prepared_xacts WHERE database = current_database() AND"
          + " starts_with(gid, 'shardmark:') ORDER BY prepared";

  /** Marks a transaction that is about to be prepared; with a semicolon at the end. */
  public static final String MARK_LAST =
      "SELECT " + ProxyLock.ENDS_LAST.call("pg_advisory_xact_lock_shared", 0) + ";";

  /** Gids of those that are marked so. A prepared transaction keeps the lock on its number too. */
  public static final String SELECT_MARKED =
      "SELECT gid FROM pg_prepared_xacts JOIN pg_locks x ON x.transactionid = transaction"
          + " AND x.granted JOIN pg_locks l USING (virtualtransaction)"
          + " WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.classid = "
          + ProxyLock.ENDS_LAST.classId();

  /** Incarnations of proxies that live and know this database. */
  public static final String SELECT_LIVING_PROXIES =
      "SELECT (u.objid::bigint << 32) | l.objid::bigint FROM pg_locks u JOIN pg_locks l USING (pid)"
          + " WHERE u.locktype = 'advisory' AND u.objsubid = 2 AND u.granted AND u.classid = "
          + ProxyLock.LIVING_UPPER.classId()
          + " AND l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted AND l.classid = "
          + ProxyLock.LIVING_LOWER.classId()
          + " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())";

  public static final String IS_PREPARED =
      "SELECT EXISTS (SELECT FROM pg_prepared_xacts"
          + " WHERE database = current_database() AND gid = ?)";

  /** Recovery's try to decide; fails on the unique key if the coordinator was first. */
  public static final String INSERT_ABORTED =
      "INSERT INTO shardmark.decision (gid, committed) VALUES (?, false)";

  public static final String SELECT_DECISION =
      "SELECT committed FROM shardmark.decision WHERE gid = ?";

  /** How the transaction of that number has ended; NULL if it is too long past. */
  public static final String SELECT_STATUS = "SELECT txid_status(?)";

  /** Decisions older than so many milliseconds. */
  public static final String SELECT_OLD_DECISIONS =
      "SELECT gid FROM shardmark.decision WHERE decided_at < now() - ? * interval '1 millisecond'"
          + " AND gid IS NOT NULL LIMIT 10000";

  /** Every transaction that is open on the server; needs no privilege, unlike its start time. */
  public static final String SELECT_OPEN_TRANSACTIONS =
      "SELECT virtualxid FROM pg_locks WHERE locktype = 'virtualxid' AND granted"
          + " AND mode = 'ExclusiveLock' AND pid <> pg_backend_pid()";

  public static final String DELETE_DECISIONS =
      "DELETE FROM shardmark.decision WHERE gid = ANY (?)";

  private CommitSql() {}

  /**
   * A proxy holds these locks on every shard while it lives: its connection ends with the process,
   * and the locks with the connection, whatever any clock says.
   */
  public static String showProxy(long incarnation) {
    return "SELECT "
        + ProxyLock.LIVING_UPPER.call("pg_try_advisory_lock", (int) (incarnation >>> 32))
        + ", "
        + ProxyLock.LIVING_LOWER.call("pg_try_advisory_lock", (int) incarnation);
  }

  /**
   * Lets a role record decisions of its transactions, and no more.
   *
   * @param role quoted as SQL needs it, or {@code PUBLIC}
   */
  public static String grantTo(String role) {
    return "GRANT USAGE ON SCHEMA shardmark TO "
        + role
        + "; GRANT INSERT ON shardmark.decision TO "
        + role;
  }

  /** On a participant that is not the anchor, in its open transaction. */
  public static String prepare(Gid gid, String participant, CommitFrame frame) {
    return frame.beforePrepare() + "PREPARE TRANSACTION '" + gid.textFor(participant) + "'";
  }

  /**
   * On the anchor, in its open transaction, as ONE simple Query: if the insert fails, PostgreSQL
   * skips the COMMIT after it (PG18 §54.2.2.1 protocol-flow-multi-statement).
   *
   * <p>A client that chose {@code synchronous_commit = off} accepts to lose its last transactions
   * in a crash of the server, but a decision that is lost after the others acted on it would lose
   * half a transaction. So the insert switches it on for this one commit.
   */
  public static String decideAndCommit(Gid gid, CommitFrame frame) {
    return frame.beforeDecision()
        + "INSERT INTO shardmark.decision (gid, committed) VALUES ('"
        + gid.text()
        + "', pg_catalog.set_config('synchronous_commit', pg_catalog.replace("
        + "pg_catalog.current_setting('synchronous_commit'), 'off', 'on'), true) <> '');"
        + frame.afterDecision()
        + CommitStatement.COMMIT.tag();
  }

  /** On a participant, outside of a transaction block. */
  public static String commitPrepared(Gid gid, String participant) {
    return "COMMIT PREPARED '" + gid.textFor(participant) + "'";
  }

  /** On a participant, outside of a transaction block. */
  public static String rollbackPrepared(Gid gid, String participant) {
    return "ROLLBACK PREPARED '" + gid.textFor(participant) + "'";
  }
}
