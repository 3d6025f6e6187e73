package io.shardmark.proxy.session;

import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.pool.SessionSettings;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.session.Transaction.Mode;
import org.jspecify.annotations.Nullable;

/**
 * Ends the client's transaction: after a forwarded COMMIT or ROLLBACK, or one of the proxy's own.
 */
final class TransactionEnd {
  private final ClientSession session;
  private final ScatterCursors cursors;
  private final Transaction transaction;
  private Ending ending = Ending.NO;

  /** Where the end is passed on to. */
  private @Nullable ServerConnection endsOn;

  /** How many answers were asked for there before the end. */
  private long askedBefore;

  private int looks;

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

  /** A COMMIT or ROLLBACK is about to be passed on to that server: nothing of it is sent yet. */
  void comesOn(ServerConnection server) {
    endsOn = server;
    askedBefore = server.askedCount();
  }

  /** It will be executed now. */
  void forwarded(Ending how) {
    ending = how;
    looks = 0;
  }

  /** Whether a COMMIT is on its way, whose outcome nobody would know if its link were lost. */
  boolean isCommitUnderWay() {
    return ending == Ending.COMMIT;
  }

  /**
   * To be called now and then: the server that has owed nothing but the answer to the forwarded end
   * for {@link SilentEnds#LOOKS} calls.
   */
  @Nullable ServerConnection silent() {
    ServerConnection server = endsOn;
    if (ending == Ending.NO
        || server == null
        || server.isClosed()
        || server.answeredCount() < askedBefore) {
      return null;
    }
    return looks++ < SilentEnds.LOOKS ? null : server;
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
    session.ownTables().over(committed);
    session.extended().transactionOver();
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

  /**
   * Undoes a transaction that has failed for good where that is still to be done, so that others
   * need not wait for its locks: PostgreSQL gives them up when a transaction fails. For the client
   * it is a failed one until its ROLLBACK.
   */
  void undoEarly() {
    if (transaction.mode() != Mode.EXPLICIT
        || !transaction.isFailedForGood()
        || session.work().commit() != null) {
      return;
    }
    for (ServerConnection server : session.links().enlisted()) {
      // The others have given up their locks by themselves, or their pipeline is not at its end.
      if (server.isQuiet() && server.status() == TransactionStatus.IN_TRANSACTION) {
        transaction.undoneEarly();
        if (!session.settings().is(transaction.settingsBefore())) {
          server.setSettings(SessionSettings.UNKNOWN);
        }
        server.setEnlisted(false);
        server.query("ROLLBACK", CapturedAnswer.END);
        server.flush();
      }
    }
  }
}
