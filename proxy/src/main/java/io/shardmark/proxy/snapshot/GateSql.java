package io.shardmark.proxy.snapshot;

/**
 * Every statement of the gate. It is a table that never has a row: a transaction over several
 * shards locks it in ROW EXCLUSIVE mode from before each of its PREPAREs on, and who takes
 * snapshots in SHARE mode. Either mode admits its like and keeps the other out (PG18 §13.3.1
 * locking-tables). A prepared transaction keeps its locks, also through a crash.
 */
public final class GateSql {
  public static final String CREATE =
      "CREATE TABLE shardmark.gate (CHECK (false));"
          // Whatever role a transaction has taken prepares it; this lets it lock no more than that.
          + " GRANT USAGE ON SCHEMA shardmark TO PUBLIC;"
          + " GRANT INSERT ON shardmark.gate TO PUBLIC";

  public static final String MISSING = "SELECT to_regclass('shardmark.gate') IS NULL";

  /** In a transaction that is about to be prepared, with a semicolon at the end. */
  public static final String ENTER = "LOCK TABLE shardmark.gate IN ROW EXCLUSIVE MODE;";

  /**
   * When the connection is new. The server opens what is closed if this process is held up, and no
   * client's default for the role counts.
   */
  public static final String PREPARE_CONNECTION =
      "SET lock_timeout = %d; SET statement_timeout = 0; SET idle_in_transaction_session_timeout ="
              .formatted(Gate.LOCK_MILLIS)
          + " "
          + Gate.FORCED_OPEN_MILLIS;

  public static final String CLOSE = "BEGIN; LOCK TABLE shardmark.gate IN SHARE MODE";

  /** Also after a failure. */
  public static final String OPEN = "COMMIT";

  private GateSql() {}
}
