package io.shardmark.proxy.execution;

import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.TransactionStatus;

/** The answer to messages of the extended protocol that end with a Sync: one for all of them. */
public class SyncedAnswer extends CapturedAnswer {
  private boolean ready;

  @Override
  public void message(ServerConnection server, Message message) {
    super.message(server, message);
    ready |= message.type() == BackendType.READY_FOR_QUERY;
  }

  @Override
  public void completed(ServerConnection server, TransactionStatus status) {
    if (ready) {
      super.completed(server, status);
    }
  }

  @Override
  public final void expectAnother() {
    super.expectAnother();
    ready = false;
  }

  @Override
  public void skipped(ServerConnection server) {
    // An error came before; ReadyForQuery still ends the answer.
  }
}
