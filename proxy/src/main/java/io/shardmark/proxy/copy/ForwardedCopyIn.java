package io.shardmark.proxy.copy;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.FrontendType;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.TransactionStatus;

/**
 * COPY FROM STDIN that one server executes as the client wrote it. What the client sends after it
 * goes there at once, as it comes: a client need not wait for CopyInResponse, and a server that has
 * failed the COPY drops its data (PG18 §54.2.7 protocol-copy).
 */
public final class ForwardedCopyIn implements CopyIn, AnswerHandler {
  private final CopySource source;
  private final ServerConnection server;
  private final AnswerHandler rest;
  private boolean begun;

  private ForwardedCopyIn(CopySource source, ServerConnection server, AnswerHandler rest) {
    this.source = source;
    this.server = server;
    this.rest = rest;
  }

  /**
   * For a COPY that is sent next to that server; its answer must be given to the result.
   *
   * @param rest what becomes of the answer's messages
   */
  public static ForwardedCopyIn begin(
      CopySource source, ServerConnection server, AnswerHandler rest) {
    ForwardedCopyIn copy = new ForwardedCopyIn(source, server, rest);
    source.setCopyIn(copy);
    return copy;
  }

  // ---- the server's answer ----

  @Override
  public AnswerHandler.HandlerUse use() {
    return rest.use();
  }

  @Override
  public void message(ServerConnection from, Message message) {
    rest.message(from, message);
  }

  @Override
  public void commandCompleted(ServerConnection from) {
    rest.commandCompleted(from);
  }

  @Override
  public void copyInBegun(ServerConnection from) {
    begun = true;
  }

  @Override
  public void completed(ServerConnection from, TransactionStatus status) {
    source.endCopyIn(this);
  }

  @Override
  public void skipped(ServerConnection from) {
    source.endCopyIn(this);
    rest.skipped(from);
  }

  @Override
  public void lost(ServerConnection from) {
    source.endCopyIn(this);
    rest.lost(from);
  }

  // ---- the client's data ----

  @Override
  public boolean hasBegun() {
    return begun;
  }

  @Override
  public boolean message(FrontendType type, ByteBuf buffer, int start, int length) {
    if (!server.takesMore()) {
      return false;
    }
    server.send(buffer, start, length);
    if (type != FrontendType.COPY_DATA) {
      source.endCopyIn(this);
    }
    return true;
  }

  @Override
  public boolean streams() {
    return true;
  }

  @Override
  public boolean piece(ByteBuf buffer, int start, int length, int bytesToCome) {
    if (server.isClosed()) {
      return true;
    }
    server.sendPiece(buffer, start, length, bytesToCome);
    return server.takesMore();
  }
}
