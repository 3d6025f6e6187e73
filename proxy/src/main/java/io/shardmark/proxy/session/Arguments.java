package io.shardmark.proxy.session;

import io.shardmark.proxy.protocol.BindReader;

/** How a statement came and where its parameters are. */
sealed interface Arguments {
  /** How the client has sent it. */
  enum Protocol {
    /** The answer begins with RowDescription. */
    SIMPLE,
    EXTENDED
  }

  Protocol protocol();

  /** In a Query message: literals in the text. */
  record Text() implements Arguments {
    @Override
    public Protocol protocol() {
      return Protocol.SIMPLE;
    }
  }

  /**
   * In a Bind message, kept, or in one that stands for EXECUTE in a Query message.
   *
   * @param maxRows of Execute, 0: all
   */
  record Bound(StatementText text, BindReader bind, Portal portal, int maxRows, Protocol protocol)
      implements Arguments {}
}
