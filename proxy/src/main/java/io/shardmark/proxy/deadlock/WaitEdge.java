package io.shardmark.proxy.deadlock;

/** A party waits for another. */
record WaitEdge(Party waiter, Party blocker, Wait identity) {
  /**
   * What a server says of it. Two looks that find equal ones have found the same wait.
   *
   * @param since when it began by the server's clock, "" where the server does not say (before
   *     version 14)
   */
  record Wait(ServerTransaction waiting, ServerTransaction blocking, String since) {}

  int shard() {
    return identity.waiting().shard();
  }
}
