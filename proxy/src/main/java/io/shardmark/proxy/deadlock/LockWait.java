package io.shardmark.proxy.deadlock;

import java.time.Duration;

/**
 * Somebody waits for a lock on a shard; one for each blocker.
 *
 * @param shard index
 * @param processId of the server process that waits
 * @param virtualId its virtual transaction id
 * @param lock what is waited for, in PostgreSQL's words: {@code ShareLock on transaction 742}
 * @param since when the wait began, in the server's words; "" where it does not tell (before
 *     version 14)
 * @param waiting how long; zero where the server does not tell
 * @param statement the beginning of what the waiting process executes
 */
public record LockWait(
    int shard,
    int processId,
    String virtualId,
    Blocker blocker,
    String lock,
    String since,
    Duration waiting,
    String statement) {

  /**
   * Who is in the way.
   *
   * @param processId 0 is a prepared transaction, which has none
   * @param virtualId its virtual transaction id, "" if it is a prepared one or gone already
   * @param preparedName of the prepared transaction, "" if it is none or is gone already
   */
  public record Blocker(int processId, String virtualId, String preparedName) {}

  /** What tells a wait from every other: two looks that find equal ones have found the same. */
  record Identity(ServerTransaction waiter, ServerTransaction holder, String since) {}

  Identity identity() {
    return new Identity(waiter(), holder(), since);
  }

  ServerTransaction waiter() {
    return new ServerTransaction(shard, processId, virtualId);
  }

  ServerTransaction holder() {
    return new ServerTransaction(
        shard,
        blocker.processId(),
        blocker.processId() == 0 ? blocker.preparedName() : blocker.virtualId());
  }
}
