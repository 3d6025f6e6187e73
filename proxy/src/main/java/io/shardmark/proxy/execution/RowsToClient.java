package io.shardmark.proxy.execution;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.protocol.Message;

/**
 * Passes single rows on to the client. Short ones are copied together, which costs less than a
 * write for each; the client's socket is given them as they become many, so that a client who does
 * not read stops the servers soon.
 */
public final class RowsToClient {
  private static final int COPIED_BYTES = 4 * 1024;
  private static final int GATHERED_BYTES = 32 * 1024;

  private final Output client;

  public RowsToClient(Output client) {
    this.client = client;
  }

  /** A whole message of a server; borrowed. */
  public void pass(Message message) {
    pass(message.buffer(), message.start(), message.length());
  }

  private void pass(ByteBuf buffer, int start, int length) {
    if (client.isClosed()) {
      return;
    }
    if (length > COPIED_BYTES) {
      client.write(buffer.retainedSlice(start, length));
      return;
    }
    ByteBuf out = client.out();
    out.writeBytes(buffer, start, length);
    if (out.readableBytes() >= GATHERED_BYTES) {
      client.flush();
    }
  }

  /** A whole message of a server. Takes ownership. */
  public void pass(ByteBuf message) {
    if (message.readableBytes() > COPIED_BYTES) {
      client.write(message);
      return;
    }
    try {
      pass(message, message.readerIndex(), message.readableBytes());
    } finally {
      message.release();
    }
  }
}
