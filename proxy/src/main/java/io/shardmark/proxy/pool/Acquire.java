package io.shardmark.proxy.pool;

import io.shardmark.proxy.protocol.ErrorFields;

/** A pool's answer to a client that asks for a connection. */
public sealed interface Acquire {
  /** A connection was free; the asking client holds it now. */
  record Ready(ServerConnection server) implements Acquire {}

  /** The pool calls the {@link PoolWaiter} later, unless it gives up. */
  enum Waiting implements Acquire {
    INSTANCE
  }

  /** There is no connection and none to wait for; the {@link PoolWaiter} is not called. */
  record Refused(ErrorFields error) implements Acquire {}
}
