package io.shardmark.proxy.deadlock;

import java.time.Duration;

/**
 * Somebody waits for a lock on a shard; one for each who is in the way.
 *
 * @param waiter of a server process
 * @param holder who is in the way
 * @param lock what is waited for, in PostgreSQL's words: {@code ShareLock on transaction 742}
 * @param since when the wait began, in the server's words; "" where it does not say (before version
 *     14)
 * @param waiting how long; zero where the server does not say
 * @param statement the beginning of what the waiting process executes
 */
public record LockWait(
    ServerTransaction waiter,
    ServerTransaction holder,
    String lock,
    String since,
    Duration waiting,
    String statement) {

  /**
   * What distinguishes a wait from every other: two looks that find equal ones have found the same.
   */
  record Identity(ServerTransaction waiter, ServerTransaction holder, String since) {}

  Identity identity() {
    return new Identity(waiter, holder, since);
  }

  /** Its index. */
  public int shard() {
    return waiter.shard();
  }
}
