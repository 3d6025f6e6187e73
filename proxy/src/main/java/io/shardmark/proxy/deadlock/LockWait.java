package io.shardmark.proxy.deadlock;

import java.time.Duration;
import java.util.Optional;

/**
 * Somebody waits for a lock on a shard; one for each blocker.
 *
 * @param shard index
 * @param processId of the server process that waits
 * @param transaction the proxy's transaction that waits, if it is one
 * @param blockingProcessId of who is in the way; 0 is a prepared transaction
 * @param blockingTransaction the proxy's transaction in the way, if it is one
 * @param lock type and mode of the lock, and the relation where there is one
 * @param waiting how long; zero where the server does not tell (before version 14)
 */
public record LockWait(
    int shard,
    int processId,
    Optional<Long> transaction,
    int blockingProcessId,
    Optional<Long> blockingTransaction,
    String lock,
    Duration waiting) {}
