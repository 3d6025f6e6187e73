package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.settings.SettingsState;
import io.shardmark.proxy.transaction.EndRun;
import io.shardmark.proxy.transaction.ForwardedEnd;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends the client's transaction: after a forwarded COMMIT or ROLLBACK, or one of the proxy's own.
 */
final class TransactionEnd {
  private final Client client;
  private final Transaction transaction;
  private final ForwardedEnd forwarded;

  /** A COMMIT or ROLLBACK of the proxy's own, or null. */
  private @Nullable EndRun run;

  TransactionEnd(Client client) {
    this.client = client;
    this.transaction = client.transaction();
    this.forwarded = new ForwardedEnd(client.context().ends());
  }

  /** A COMMIT or ROLLBACK of the client that a server answers. */
  ForwardedEnd forwarded() {
    return forwarded;
  }

  /** Whether no forwarded end is on its way any more; asks for its answer. */
  boolean isOver() {
    if (!client.participants().drained()) {
      return false;
    }
    if (forwarded.isUnderWay()) {
      answered();
    }
    return true;
  }

  /** A forwarded COMMIT or ROLLBACK has been answered. */
  void answered() {
    finish(forwarded.answered(transaction.isFailed()));
  }

  /**
   * The commit of the proxy's own that is under way on servers, or null; it goes on without its
   * client.
   */
  @Nullable EndRun commit() {
    EndRun now = unansweredCommit();
    return now != null && now.needsServers() ? now : null;
  }

  /** The same until its client is answered: it may be waiting for recovery. */
  @Nullable EndRun unansweredCommit() {
    return run != null && run.isCommit() ? run : null;
  }

  /**
   * The client does not wait any longer for what recovery commits.
   *
   * @return whether it did
   */
  boolean stopWaiting() {
    return run != null && run.stopWaiting();
  }

  /** A COMMIT or ROLLBACK of the proxy's own is under way from now on. */
  void begin(EndRun now) {
    run = now;
  }

  /** The connection to a participant is gone. */
  void connectionLost(int shard) {
    if (run != null) {
      run.connectionLost(shard);
    }
  }

  /** No answer to an end is waited for any more. */
  void close() {
    forwarded.over();
    EndRun now = run;
    if (now != null) {
      run = null;
      now.close();
    }
  }

  /** The transaction is over on all servers that are held; what it SET stays or is undone. */
  void finish(boolean committed) {
    forwarded.over();
    client.ownTables().over(committed);
    client.portals().clear();
    client.dialog().transactionOver();
    client
        .clientSettings()
        .change(committed ? SettingsState::committed : SettingsState::rolledBack);
    client.participants().leaveTransaction();
    client.scatter().transactionOver();
    client.effects().transactionOver(committed);
    transaction.end();
    client.cancellation().forgetCancellation();
  }

  /**
   * Undoes a transaction that has failed for good where that is still to be done, so that others
   * need not wait for its locks: PostgreSQL gives them up when a transaction fails. For the client
   * it is a failed one until its ROLLBACK.
   */
  void undoEarly() {
    if (transaction.mode() != Transaction.EndMode.EXPLICIT
        || !transaction.isFailedForGood()
        || run != null) {
      return;
    }
    for (ServerConnection server : client.participants().enlisted()) {
      // The others have given up their locks by themselves, or their pipeline is not at its end.
      if (server.isQuiet() && server.status() == TransactionStatus.IN_TRANSACTION) {
        transaction.undoneEarly();
        server.dialog().released();
        server.query("ROLLBACK", CapturedAnswer.IGNORED);
        server.flush();
      }
    }
  }

  /** The shard to which a COMMIT or ROLLBACK can be passed on as it is, or -1. */
  int forwardableTo(StatementPlan.TransactionPlan end) {
    boolean ends =
        end.command() == StatementPlan.TransactionPlan.TransactionVerb.COMMIT
            || end.command() == StatementPlan.TransactionPlan.TransactionVerb.ROLLBACK;
    if (!ends || transaction.mode() != Transaction.EndMode.EXPLICIT || end.chain()) {
      return -1;
    }
    if (client.ownTables().isChanged() || transaction.isUndoneEarly()) {
      return -1;
    }
    List<ServerConnection> enlisted = client.participants().enlisted();
    if (enlisted.size() != 1) {
      return -1;
    }
    ServerConnection only = enlisted.get(0);
    boolean agrees =
        !transaction.isFailed()
            || end.command() == StatementPlan.TransactionPlan.TransactionVerb.ROLLBACK
            || only.status() == TransactionStatus.FAILED;
    return agrees ? only.shard() : -1;
  }
}
