package io.shardmark.proxy.session;

import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.TransactionStatus;

/** Undoes everything on all servers that are held; the transaction is over then. */
final class RollbackStep implements Step {
  private final ClientSession session;
  private final CommitDeadline deadline;

  RollbackStep(ClientSession session) {
    this.session = session;
    this.deadline =
        new CommitDeadline(
            session.context().loop(),
            session.context().config().limits().commitTimeout(),
            this::abandonSilent);
  }

  /** What has not been rolled back is, by a server that has lost its connection. */
  private void abandonSilent() {
    if (session.isClosed()) {
      deadline.end();
      return;
    }
    for (ServerConnection server : session.links().all()) {
      if (!server.hasAnswered()) {
        server.abandon("it has not answered a rollback within commit_timeout");
      }
    }
  }

  @Override
  public boolean advance() {
    boolean clean = true;
    for (ServerConnection server : session.links().all()) {
      clean &= isClean(server);
    }
    if (!clean) {
      deadline.begin();
      return false;
    }
    deadline.end();
    session.context().counters().count(LoopCounter.ROLLBACKS);
    session.end().finish(false);
    session.links().releaseAll();
    return true;
  }

  private static boolean isClean(ServerConnection server) {
    if (!server.hasAnswered()) {
      if (server.isUnsynced()) {
        server.query("ROLLBACK", CapturedAnswer.END);
      }
      server.flush();
      return false;
    }
    if (server.isSkippingToSync()) {
      server.sync(AnswerHandler.SWALLOW);
    } else if (server.isUnsynced()
        || server.status() != TransactionStatus.IDLE
        || server.isEnlisted()) {
      // Also where BEGIN was sent but skipped: PostgreSQL answers that with a warning.
      server.setEnlisted(false);
      server.query("ROLLBACK", CapturedAnswer.END);
    } else {
      return true;
    }
    server.flush();
    return false;
  }
}
