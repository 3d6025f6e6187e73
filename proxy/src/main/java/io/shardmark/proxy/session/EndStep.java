package io.shardmark.proxy.session;

import io.shardmark.proxy.commit.CommitPlan;
import io.shardmark.proxy.ddl.PlacementBarrier;
import io.shardmark.proxy.ddl.SchemaChanges;
import io.shardmark.proxy.ddl.SchemaRefresh;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.transaction.EndRun;
import java.util.List;
import java.util.Set;
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

  private final PlacementBarrier barrier;

  private EndStep(ClientSession session, boolean commits) {
    this.session = session;
    this.commits = commits;
    this.barrier =
        new PlacementBarrier(
            session.context().cluster().placementChanges(),
            session.context().shardCount() == 1 ? Set.of() : session.ownTables().moved(),
            new PlacementBarrier.Committing(
                session.context().loop(), session.statements(), session::proceed));
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
    if (commits && !transaction.isFailed() && !(isQuiet() && isAlone())) {
      return null;
    }
    EndRun started = new EndRun(session.context().ends(), session::proceed);
    run = started;
    session.end().begin(started);
    if (commits && !transaction.isFailed() && failure == null) {
      session.work().setCommit(this);
      started.commit(
          session.links().enlisted(),
          transaction.needsOneSnapshot(session.settingsState().base())
              ? CommitPlan.ReaderOrder.BEFORE_WRITER
              : CommitPlan.ReaderOrder.WITH_WRITER);
    } else {
      if (commits && failure == null) {
        failure = transaction.untoldLoss().orElse(null);
      }
      List<ServerConnection> servers = session.links().all();
      servers.removeIf(EndStep::isClean);
      started.rollBack(servers);
    }
    return started;
  }

  /** Whether no other client uses tables that the transaction has moved, or it has to fail. */
  private boolean isAlone() {
    try {
      return barrier.isClear();
    } catch (StatementException e) {
      failure = e.fields();
      return true;
    }
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
    if (!now.isCommitted()) {
      barrier.liftWhenRead(catalogs()); // its outcome may be unknown
    }
  }

  @Override
  public void abandon() {
    barrier.liftWhenRead(catalogs());
  }

  private SchemaChanges catalogs() {
    return session.context().cluster().schemaChanges();
  }

  /** After DDL the client is answered when its next statement can be planned with the new map. */
  private boolean schemaIsRead() {
    if (refresh == null && session.ownTables().isChanged()) {
      refresh = new SchemaRefresh(session, session.ownTables(), catalogs());
    }
    if (refresh != null && !refresh.advance()) {
      return false;
    }
    barrier.lift();
    return true;
  }
}
