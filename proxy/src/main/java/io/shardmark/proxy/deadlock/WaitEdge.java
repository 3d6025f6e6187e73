package io.shardmark.proxy.deadlock;

/**
 * A party waits for another.
 *
 * @param shard where
 * @param processId of the waiting server process
 */
record WaitEdge(Party waiter, Party blocker, int shard, int processId) {}
