package io.shardmark.proxy.pool;

import io.shardmark.proxy.protocol.ErrorFields;

/** Who waits for a server connection; told once, on the pool's event loop. */
public interface PoolWaiter {
  /** It is the waiter's now. */
  void granted(ServerConnection server);

  /** There will be none. */
  void refused(ErrorFields error);
}
