package io.shardmark.proxy.pool;

import io.shardmark.proxy.protocol.ErrorFields;
import org.jspecify.annotations.Nullable;

/** Who waits for a server connection; called once, on the pool's event loop. */
public interface PoolWaiter {
  /** It is the waiter's now. */
  void granted(ServerConnection server);

  /**
   * Who it is, if it holds connections to other shards until its transaction ends, and so may keep
   * others waiting; else null.
   */
  @Nullable Object holder();

  /** Whether nothing is left there that this client would see and others have made. */
  boolean suits(ServerConnection server);

  /** There will be none. */
  void refused(ErrorFields error);
}
