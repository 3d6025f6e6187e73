package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.execution.Transaction.Mode;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.pool.ServerUser;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import org.jspecify.annotations.Nullable;

/** Takes what the session's server connections answer, and passes it on to the client. */
final class ServerAnswers implements ServerUser {
  private final ClientSession session;
  private final Transaction transaction;

  /** What another server said while the client got a long message of the active one. */
  private @Nullable ByteBuf deferred;

  ServerAnswers(ClientSession session) {
    this.session = session;
    this.transaction = session.transaction();
  }

  @Override
  public void forward(ServerConnection server, ByteBuf buffer, int start, int length) {
    ServerConnection active = session.links().active();
    if (active != null && active != server && active.isPassingMessage()) {
      defer(buffer, start, length);
      return;
    }
    session.forward(buffer, start, length);
    if (deferred != null && !server.isPassingMessage()) {
      session.write(deferred);
      deferred = null;
    }
  }

  /** A notification, say: not in the middle of a row. */
  private void defer(ByteBuf buffer, int start, int length) {
    if (session.isClosed()) {
      return;
    }
    ByteBuf waiting = deferred;
    if (waiting == null) {
      waiting = session.newBuffer();
      deferred = waiting;
    }
    waiting.writeBytes(buffer, start, length);
  }

  /** The client is gone. */
  void close() {
    if (deferred != null) {
      deferred.release();
      deferred = null;
    }
  }

  @Override
  public boolean passesReady(ServerConnection server, TransactionStatus status) {
    boolean endsHere = session.end().forwarded().isAnsweredBy(server);
    if (transaction.mode() == Mode.NONE) {
      if (status != TransactionStatus.IDLE) {
        // A text began a transaction that the planner took for something else.
        transaction.begin(Mode.EXPLICIT, "");
        server.setEnlisted(true);
      }
    } else if (status == TransactionStatus.IDLE && server.isEnlisted()) {
      session.end().answered();
    } else if (status == TransactionStatus.FAILED) {
      transaction.fail();
    }
    if (status == TransactionStatus.FAILED && transaction.mode() == Mode.EXPLICIT) {
      transaction.fail();
    }
    if (endsHere && status != TransactionStatus.IDLE) {
      session.end().forwarded().over();
    }
    return status == transaction.status();
  }

  @Override
  public void ready(ServerConnection server, TransactionStatus status) {
    if (status != transaction.status()) {
      session.readyForQuery();
    }
    session.simple().answered();
    if (transaction.isFailed()) {
      session.end().undoEarly();
    }
    releaseIfQuiet(server);
  }

  private void releaseIfQuiet(ServerConnection server) {
    if (transaction.mode() == Mode.NONE && server.isQuiet() && session.work().step() == null) {
      session.extended().forgetPortals();
      session.links().releaseOnly(server);
      if (session.isDraining()) {
        session.shutDown();
      }
    }
  }

  /** The rest of a message has been sent that a failed COPY left in the middle. */
  void messageEnded() {
    ServerConnection server = session.links().active();
    if (server != null) {
      server.flush();
      releaseIfQuiet(server);
    }
  }

  @Override
  public void failed(ServerConnection server, boolean untilSync) {
    if (transaction.mode() != Mode.NONE) {
      transaction.fail();
      session.end().undoEarly();
    }
    if (untilSync) {
      // A Parse that is held back stands behind the failed message: it is skipped as well.
      session.extended().statements().dropHeldParse();
      session.messages().skipToSync();
    }
    session.simple().serverFailed();
  }

  @Override
  public void lost(ServerConnection server, Owed owed, String reason) {
    boolean enlisted = server.isEnlisted();
    session.links().lost(server);
    session.end().connectionLost(server.shard());
    if (owed.cutShort()) {
      session.close();
      session.proceed();
      return;
    }
    ErrorFields error = lossOf(server, reason);
    if (transaction.mode() != Mode.NONE && enlisted) {
      transaction.lose(error);
      if (owed.readies() > 0 || owed.more()) {
        transaction.told();
      }
      session.end().undoEarly();
    }
    boolean errorSent = owed.errorSent();
    for (int i = 0; i < owed.readies(); i++) {
      if (!errorSent) {
        BackendMessages.errorResponse(session.out(), error);
      }
      errorSent = false;
      if (session.end().forwarded().isUnderWay()) {
        session.end().forwarded().over();
        session.end().finish(false);
      }
      if (i + 1 < owed.readies() || !owed.more()) {
        session.simple().answered();
        session.readyForQuery();
      }
    }
    if (owed.more()) {
      session.end().forwarded().over();
      BackendMessages.errorResponse(session.out(), error);
      session.messages().skipToSync();
    }
    if (server.isKept() && !session.isClosed()) {
      String what = error.message() + "; what the session kept there is lost with it";
      session.refuse(ErrorFields.fatal(error.sqlState(), what));
    }
    session.proceed();
  }

  private ErrorFields lossOf(ServerConnection server, String reason) {
    String what =
        "connection to shard "
            + session.context().pools().shardNames().get(server.shard())
            + " lost";
    return server.isEnlisted()
        ? session.end().forwarded().lost(what, reason)
        : ErrorFields.error(SqlState.CONNECTION_FAILURE, what + ": " + reason);
  }

  @Override
  public void readComplete(ServerConnection server) {
    if (session.work().step() != null || session.messages().isPaused()) {
      session.proceed();
    } else {
      session.flush();
    }
  }

  @Override
  public ErrorFields named(ServerConnection server, ErrorFields error) {
    return session.cancellation().named(server, error);
  }

  @Override
  public void foundOutdated() {
    session.context().texts().outdate();
  }

  @Override
  public int notifier(int serverProcess) {
    return session.context().cluster().notifiers().client(serverProcess);
  }

  @Override
  public int clientId() {
    CancelKey key = session.cancelKey();
    return key == null ? 0 : key.processId();
  }

  /** The cancellation that a deadlock caused is reported as what it is. */
  @Override
  public boolean passesError(ServerConnection server, String code) {
    ErrorFields found = session.cancellation().deadlockBehind(server, code);
    if (found == null) {
      return true;
    }
    BackendMessages.errorResponse(session.out(), found);
    return false;
  }
}
