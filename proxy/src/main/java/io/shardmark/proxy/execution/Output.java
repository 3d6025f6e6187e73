package io.shardmark.proxy.execution;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** What goes to one client, in order. Belongs to its event loop. */
public interface Output {
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
}
