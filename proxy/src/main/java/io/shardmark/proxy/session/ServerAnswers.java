package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.dialog.ClientDialog.Lifetime;
import io.shardmark.proxy.dialog.Owed;
import io.shardmark.proxy.execution.LostWork;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.execution.Transaction.EndMode;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.pool.ServerUser;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.MessageFramer;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes what the session's server connections answer, and passes it on to the client. */
final class ServerAnswers implements ServerUser {
  private final Client client;
  private final MessageFramer messages;
  private final Transaction transaction;

  /** What another server said while the client got a long message of the active one. */
  private @Nullable ByteBuf deferred;

  ServerAnswers(Client client, MessageFramer messages) {
    this.client = client;
    this.messages = messages;
    this.transaction = client.transaction();
  }

  @Override
  public void forward(ServerConnection server, ByteBuf buffer, int start, int length) {
    ServerConnection active = client.participants().active();
    if (active != null && active != server && active.isPassingMessage()) {
      defer(buffer, start, length);
      return;
    }
    client.output().forward(buffer, start, length);
    if (deferred != null && !server.isPassingMessage()) {
      client.output().write(deferred);
      deferred = null;
    }
  }

  @Override
  public void reported(ByteBuf buffer, int start, int length) {
    client.output().report(buffer, start, length);
  }

  /** A notification, say: not in the middle of a row. */
  private void defer(ByteBuf buffer, int start, int length) {
    if (client.output().isClosed()) {
      return;
    }
    ByteBuf waiting = deferred;
    if (waiting == null) {
      waiting = client.output().allocator().buffer(16);
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
    client.output().sendReports();
    boolean endsHere = client.end().forwarded().isAnsweredBy(server);
    if (transaction.mode() == EndMode.NONE) {
      if (status == TransactionStatus.IDLE) {
        client.effects().transactionOver(!server.dialog().hasFailed()); // the server's
      } else {
        // A text began a transaction that the planner took for something else.
        transaction.begin(EndMode.EXPLICIT, List.of());
        server.dialog().enlisted();
      }
    } else if (status == TransactionStatus.IDLE && server.dialog().isEnlisted()) {
      client.end().answered();
    }
    if (status == TransactionStatus.FAILED) {
      transaction.fail();
    }
    if (endsHere) {
      client.end().forwarded().over();
    }
    boolean passes = status == transaction.status();
    if (passes) {
      client.dialog().ready();
    }
    return passes;
  }

  @Override
  public void ready(ServerConnection server, TransactionStatus status) {
    if (status != transaction.status()) {
      client.readyForQuery();
    }
    if (transaction.isFailed()) {
      client.end().undoEarly();
    }
    releaseIfQuiet(server);
  }

  private void releaseIfQuiet(ServerConnection server) {
    if (transaction.mode() == EndMode.NONE && server.isQuiet() && client.work().step() == null) {
      client.portals().clear();
      client.participants().releaseQuiet(); // a pipeline may have been on others before
      if (client.dialog().lifetime() == Lifetime.DRAINING) {
        client.shutDown();
      }
    }
  }

  /** The rest of a message has been sent that a failed COPY left in the middle. */
  void messageEnded() {
    ServerConnection server = client.participants().active();
    if (server != null) {
      server.flush();
      releaseIfQuiet(server);
    }
  }

  @Override
  public void failed(ServerConnection server, boolean untilSync) {
    if (transaction.mode() != EndMode.NONE) {
      transaction.fail();
      client.end().undoEarly();
    }
    client.owner().serverFailed(untilSync);
  }

  @Override
  public void bindSkipped(ServerConnection server, long answer) {
    client.portals().bindSkipped(server.shard(), answer);
  }

  @Override
  public void lost(ServerConnection server, Owed owed, String reason) {
    boolean enlisted = server.dialog().isEnlisted();
    client.participants().lost(server);
    client.end().connectionLost(server.shard());
    if (owed.cutShort()) {
      client.owner().close();
      client.proceed();
      return;
    }
    ErrorFields error = lossOf(server, reason);
    if (transaction.mode() != EndMode.NONE && enlisted) {
      transaction.lose(error);
      if (owed.readies() > 0 || owed.more()) {
        transaction.lossReported();
      }
      client.end().undoEarly();
    }
    boolean errorSent = owed.errorSent();
    for (int i = 0; i < owed.readies(); i++) {
      if (!errorSent) {
        BackendMessages.errorResponse(client.out(), error);
      }
      errorSent = false;
      if (client.end().forwarded().isUnderWay()) {
        client.end().forwarded().over();
        client.end().finish(false);
      }
      client.readyForQuery();
    }
    if (transaction.mode() == EndMode.NONE && !owed.more() && client.work().step() == null) {
      client.participants().releaseQuiet();
    }
    if (owed.more()) {
      client.end().forwarded().over();
      BackendMessages.errorResponse(client.out(), error);
      client.owner().serverFailed(true);
    }
    if (server.dialog().isKept() && !client.output().isClosed()) {
      String what = error.message() + "; what the session kept there is lost with it";
      client.owner().refuse(ErrorFields.fatal(error.sqlState(), what));
    }
    client.proceed();
  }

  private ErrorFields lossOf(ServerConnection server, String reason) {
    String what =
        "connection to shard "
            + client.context().pools().shardNames().get(server.shard())
            + " lost";
    return server.dialog().isEnlisted()
        ? client.end().forwarded().lost(server, what, reason)
        : LostWork.without(server).error(server.isReplicated(), what + ": " + reason);
  }

  @Override
  public void readComplete(ServerConnection server) {
    if (client.work().step() != null || messages.isPaused()) {
      client.proceed();
    } else {
      client.output().flush();
    }
  }

  @Override
  public ErrorFields named(ServerConnection server, ErrorFields error) {
    return client.cancellation().named(server, error);
  }

  @Override
  public void foundOutdated() {
    client.context().texts().outdate();
  }

  @Override
  public int notifier(int serverProcess) {
    return client.context().cluster().notifiers().client(serverProcess);
  }

  @Override
  public int clientId() {
    CancelKey key = client.cancelKey();
    return key == null ? 0 : key.processId();
  }

  /** The cancellation that a deadlock caused is reported as what it is. */
  @Override
  public boolean passesError(ServerConnection server, String code) {
    ErrorFields found = client.cancellation().deadlockBehind(server, code);
    if (found == null) {
      return true;
    }
    BackendMessages.errorResponse(client.out(), found);
    return false;
  }
}
