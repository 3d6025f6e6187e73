package io.shardmark.proxy.execution;

import io.shardmark.proxy.protocol.BindReader;

/** How a statement came and where its parameters are. */
public sealed interface Arguments {
  /** How the client has sent it. */
  enum Protocol {
    /** The answer begins with RowDescription. */
    SIMPLE,
    EXTENDED
  }

  Protocol protocol();

  /** How many rows are asked for; 0: all. */
  int maxRows();

  /** In a Query message: literals in the text. */
  record Text() implements Arguments {
    @Override
    public Protocol protocol() {
      return Protocol.SIMPLE;
    }

    @Override
    public int maxRows() {
      return 0;
    }
  }

  /**
   * In a Bind message, kept, or in one of the proxy's own that replaces a Query message.
   *
   * @param portal keeps what an Execute with a row limit leaves
   */
  record BoundArguments(
      StatementText text, BindReader bind, ResultKeeper portal, int maxRows, Protocol protocol)
      implements Arguments {}
}
