package io.shardmark.proxy.session;

import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.SessionSettings;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.ChangedTables;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.session.Transaction.Mode;

/**
 * Ends the client's transaction: after a forwarded COMMIT or ROLLBACK, or one of the proxy's own.
 */
final class TransactionEnd {
  private final ClientSession session;
  private final ScatterCursors cursors;
  private final Transaction transaction;
  private Ending ending = Ending.NO;
  private boolean changedSchema;
  private final ChangedTables changed = new ChangedTables();

  /** Whether a forwarded COMMIT or ROLLBACK is on its way: the transaction ends with its answer. */
  enum Ending {
    NO,
    COMMIT,
    ROLLBACK
  }

  TransactionEnd(ClientSession session) {
    this.session = session;
    this.transaction = session.transaction();
    this.cursors = new ScatterCursors(session);
  }

  /** Results over several shards that end with the transaction. */
  ScatterCursors cursors() {
    return cursors;
  }

  boolean isForwarded() {
    return ending != Ending.NO;
  }

  void forwarded(Ending how) {
    ending = how;
  }

  /** The forwarded one has failed, or is lost. */
  void notForwarded() {
    ending = Ending.NO;
  }

  /** Whether no forwarded end is on its way any more; asks for its answer. */
  boolean isOver() {
    if (!session.links().drained()) {
      return false;
    }
    if (ending != Ending.NO) {
      answered();
    }
    return true;
  }

  /** A forwarded COMMIT or ROLLBACK has been answered. */
  void answered() {
    boolean committed = ending == Ending.COMMIT && !transaction.isFailed();
    ending = Ending.NO;
    session
        .context()
        .counters()
        .count(committed ? LoopCounter.COMMITS_ONE_SHARD : LoopCounter.ROLLBACKS);
    finish(committed);
  }

  /** The transaction is over on all servers; what it SET stays or is undone. */
  void finish(boolean committed) {
    changedSchema &= committed;
    changed.clear();
    boolean undone = !committed && transaction.mode() != Mode.NONE; // else SET stood by itself
    if (undone && !session.settings().is(transaction.settingsBefore())) {
      session.links().enlisted().forEach(server -> server.setSettings(SessionSettings.UNKNOWN));
      session.setSettings(transaction.settingsBefore());
    }
    session.links().all().forEach(server -> server.setEnlisted(false));
    cursors.over();
    transaction.end();
    session.cancellation().forgetDeadlock();
  }

  /** The transaction has changed what the shard map is read from. */
  boolean hasChangedSchema() {
    return changedSchema;
  }

  /**
   * @param ddl what was executed
   */
  void changedSchema(String ddl) {
    changedSchema = true;
    changed.note(ddl);
  }

  void schemaRead() {
    changedSchema = false;
    changed.clear();
  }

  /** Refuses what would be planned with tables as they were before this transaction. */
  void refuseOldPlan(PlannedStatement statement) {
    StatementPlan plan = statement.plan();
    boolean usesTables =
        plan instanceof StatementPlan.Query
            || plan instanceof StatementPlan.Copy
            || plan instanceof StatementPlan.DeclareCursor
            || plan instanceof StatementPlan.Refused;
    if (!usesTables) {
      return;
    }
    String table = changed.in(statement.sql());
    if (table != null && session.context().shardCount() > 1) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "table \"" + table + "\" has been made or changed in this transaction",
          "COMMIT first: the proxy then reads anew where its rows are.");
    }
  }
}
