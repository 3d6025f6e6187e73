package io.shardmark.proxy.pool;

import io.netty.buffer.ByteBuf;

/** An answer of the proxy's own between those of a server; owns its bytes until its turn comes. */
public abstract class LocalAnswer implements AnswerHandler {
  private final ByteBuf messages;

  protected LocalAnswer(ByteBuf messages) {
    this.messages = messages;
  }

  /** Hands the bytes over. */
  final ByteBuf take() {
    return messages;
  }

  @Override
  public final Use use() {
    return Use.FORWARD;
  }

  @Override
  public void skipped(ServerConnection server) {
    messages.release();
  }
}
