package io.shardmark.proxy.deadlock;

/** Who waits or is waited for. */
sealed interface Party {
  /**
   * A transaction of a proxy, on all its shards together, also where it is prepared: there it waits
   * for its decision.
   *
   * @param proxy the number of the run of the proxy that it comes through
   * @param id never used twice in that run
   */
  record Transaction(long proxy, long id) implements Party {}

  /**
   * What is known from its server only: another client's, or of another proxy that has not said
   * anything of it.
   */
  record Stranger(ServerTransaction transaction) implements Party {}
}
