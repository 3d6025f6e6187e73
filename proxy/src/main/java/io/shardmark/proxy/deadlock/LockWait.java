package io.shardmark.proxy.deadlock;

import java.time.Duration;
import java.util.Optional;

/**
 * Somebody waits for a lock on a shard; one for each blocker.
 *
 * @param shard index
 * @param processId of the server process that waits
 * @param transaction the proxy's transaction that waits, if it is one
 * @param lock what is waited for, in PostgreSQL's words: {@code ShareLock on transaction 742}
 * @param waiting how long; zero where the server does not tell (before version 14)
 * @param statement the beginning of what the waiting process executes
 */
public record LockWait(
    int shard,
    int processId,
    Optional<Long> transaction,
    Blocker blocker,
    String lock,
    Duration waiting,
    String statement) {

  /**
   * Who is in the way.
   *
   * @param processId 0 is a prepared transaction, which has none
   * @param preparedName of the prepared transaction, "" if it is none or is gone already
   * @param transaction the proxy's transaction, if it is one
   */
  public record Blocker(int processId, String preparedName, Optional<Long> transaction) {}
}
