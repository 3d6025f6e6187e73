package io.shardmark.proxy.pool;

import org.jspecify.annotations.Nullable;

/**
 * One connection to each shard beyond the pools' size, for one client of a user at a time: who
 * holds connections to some shards and waits for others may be in a circle of such clients, and
 * with the reserve it reaches the end of its transaction whatever the others do. Then the next one
 * has its turn. Any thread.
 */
final class Reserve {
  private @Nullable Object owner;
  private int connections;

  /** One more connection for that client; false while it is another's turn. */
  @SuppressWarnings("ReferenceEquality") // clients are what they are
  synchronized boolean tryTake(Object client) {
    if (owner != null && owner != client) {
      return false;
    }
    owner = client;
    connections++;
    return true;
  }

  /** A connection taken from here is closed. */
  synchronized void giveBack() {
    connections--;
    if (connections == 0) {
      owner = null;
    }
  }
}
