package io.shardmark.proxy.commit;

/**
 * Every statement of the commit protocol. Gids hold nothing that would need quoting (see {@link
 * Gid}), so they stand in the text.
 */
public final class CommitSql {
  public static final String COMMIT = "COMMIT";
  public static final String ROLLBACK = "ROLLBACK";

  /** Command tags by which a server tells what it did (PG18 §54.7 protocol-message-formats). */
  public static final String PREPARE_TAG = "PREPARE TRANSACTION";

  public static final String COMMIT_TAG = "COMMIT";
  public static final String ROLLBACK_TAG = "ROLLBACK";
  public static final String COMMIT_PREPARED_TAG = "COMMIT PREPARED";
  public static final String ROLLBACK_PREPARED_TAG = "ROLLBACK PREPARED";

  /** Where the decisions stand, on every shard. */
  public static final String SCHEMA = "shardmark";

  public static final String TABLE = "decision";

  public static final String CREATE_SCHEMA = "CREATE SCHEMA IF NOT EXISTS shardmark";
  public static final String CREATE_TABLE =
      "CREATE TABLE IF NOT EXISTS shardmark.decision (gid text PRIMARY KEY,"
          + " committed boolean NOT NULL, decided_at timestamptz NOT NULL DEFAULT now())";

  /** Recovery's try to decide; fails on the unique key if the coordinator was first. */
  public static final String INSERT_ABORTED =
      "INSERT INTO shardmark.decision (gid, committed) VALUES (?, false)";

  public static final String SELECT_DECISION =
      "SELECT committed FROM shardmark.decision WHERE gid = ?";

  private CommitSql() {}

  /** On a participant that is not the anchor, in its open transaction. */
  public static String prepare(Gid gid, String participant) {
    return "PREPARE TRANSACTION '" + gid.textFor(participant) + "'";
  }

  /**
   * On the anchor, in its open transaction, as ONE simple Query: if the insert fails, PostgreSQL
   * skips the COMMIT behind it (PG18 §54.2.2.1 protocol-flow-multi-statement).
   */
  public static String decideAndCommit(Gid gid) {
    return "INSERT INTO shardmark.decision (gid, committed) VALUES ('"
        + gid.text()
        + "', true);"
        + COMMIT;
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
