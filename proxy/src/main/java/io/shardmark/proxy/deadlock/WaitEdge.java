package io.shardmark.proxy.deadlock;

/** A party waits for another. */
record WaitEdge(Party waiter, Party blocker, LockWait behind) {
  int shard() {
    return behind.shard();
  }
}
