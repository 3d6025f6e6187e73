package io.shardmark.proxy.session;

import io.shardmark.proxy.commit.CommitPlan;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.transaction.EndRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends the session's transaction on all its shards. A commit goes on to its end without its client
 * if that one leaves.
 */
final class EndStep implements Step {
  private final ClientSession session;
  private final boolean commits;
  private @Nullable EndRun run;
  private @Nullable ErrorFields failure;
  private boolean ended;
  private @Nullable SchemaRefresh refresh;

  private EndStep(ClientSession session, boolean commits) {
    this.session = session;
    this.commits = commits;
  }

  /** COMMIT, which rolls a failed transaction back. */
  static EndStep commit(ClientSession session) {
    return new EndStep(session, true);
  }

  /** Undoes everything on all servers that are held. */
  static EndStep rollback(ClientSession session) {
    return new EndStep(session, false);
  }

  /** Whether the servers have committed; once it is done. */
  boolean isCommitted() {
    return run != null && run.isCommitted();
  }

  /** Of the two-phase commit; "" if it is none. */
  String gidText() {
    return run == null ? "" : run.gidText();
  }

  /** What it is doing. */
  String word() {
    return run == null ? "committing" : run.word();
  }

  @Override
  public boolean advance() {
    EndRun now = run;
    if (now == null) {
      now = start();
    }
    if (now == null || !now.isDone()) {
      return false;
    }
    end(now);
    if (failure != null) {
      throw new StatementException(failure);
    }
    return !now.isCommitted() || schemaIsRead();
  }

  /** Null: servers have to answer first what stands before the COMMIT. */
  private @Nullable EndRun start() {
    Transaction transaction = session.transaction();
    if (commits && !transaction.isFailed() && !isQuiet()) {
      return null;
    }
    EndRun started = new EndRun(session.context().ends(), session::proceed);
    run = started;
    session.end().begin(started);
    if (commits && !transaction.isFailed()) {
      session.work().setCommit(this);
      started.commit(
          session.links().enlisted(),
          transaction.needsOneSnapshot(session.settings().base())
              ? CommitPlan.ReaderOrder.BEFORE_WRITER
              : CommitPlan.ReaderOrder.WITH_WRITER);
    } else {
      failure = commits ? transaction.untoldLoss().orElse(null) : null;
      List<ServerConnection> servers = session.links().all();
      servers.removeIf(EndStep::isClean);
      started.rollBack(servers);
    }
    return started;
  }

  private boolean isQuiet() {
    boolean quiet = true;
    for (ServerConnection server : session.links().enlisted()) {
      if (server.isUnsynced()) {
        server.sync(AnswerHandler.SWALLOW);
      }
      if (!server.hasAnswered()) {
        server.flush();
        quiet = false;
      }
    }
    return quiet;
  }

  /** Whether nothing can have begun there, or be on its way. */
  private static boolean isClean(ServerConnection server) {
    return server.isQuiet() && server.status() == TransactionStatus.IDLE && !server.isEnlisted();
  }

  private void end(EndRun now) {
    if (ended) {
      return;
    }
    ended = true;
    session.work().setCommit(null);
    failure = now.failure().orElse(failure);
    session.end().finish(now.isCommitted());
    session.links().releaseAll();
  }

  /** After DDL the client is answered when its next statement can be planned with the new map. */
  private boolean schemaIsRead() {
    if (refresh == null && session.ownTables().isChanged()) {
      refresh = new SchemaRefresh(session);
    }
    return refresh == null || refresh.advance();
  }
}
