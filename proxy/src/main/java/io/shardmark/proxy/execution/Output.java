package io.shardmark.proxy.execution;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.shardmark.proxy.protocol.Message;

/** What goes to one client, in order. Belongs to its event loop. */
public interface Output {
  /** Longer messages are not copied. */
  int COPIED_BYTES = 4 * 1024;

  /** So many are sent without waiting for more. */
  int GATHERED_BYTES = 32 * 1024;

  ByteBufAllocator allocator();

  /** Where answers of the proxy's own go; everything asked before has been answered. */
  ByteBuf out();

  /**
   * The statement is done.
   *
   * @param tag which says so, such as {@code INSERT 0 1}
   */
  void complete(String tag);

  /** Passes whole messages on. Takes ownership. */
  void write(ByteBuf messages);

  /** Sends what has been written; a client that does not read stops its servers. */
  void flush();

  /** The client is gone: what is written now is dropped. */
  boolean isClosed();

  /**
   * Passes a row on, or another single message of a server; borrowed. Short ones are copied
   * together, which costs less than a write for each; the client's socket is given them as they
   * become many, so that a client who does not read stops the servers soon.
   */
  default void pass(Message message) {
    pass(message.buffer(), message.start(), message.length());
  }

  private void pass(ByteBuf buffer, int start, int length) {
    if (isClosed()) {
      return;
    }
    if (length > COPIED_BYTES) {
      write(buffer.retainedSlice(start, length));
      return;
    }
    ByteBuf out = out();
    out.writeBytes(buffer, start, length);
    if (out.readableBytes() >= GATHERED_BYTES) {
      flush();
    }
  }

  /** The same of a whole message. Takes ownership. */
  default void pass(ByteBuf message) {
    if (message.readableBytes() > COPIED_BYTES) {
      write(message);
      return;
    }
    try {
      pass(message, message.readerIndex(), message.readableBytes());
    } finally {
      message.release();
    }
  }
}
