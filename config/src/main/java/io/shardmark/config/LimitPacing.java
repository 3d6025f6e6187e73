package io.shardmark.config;

/** When transactions are due under the key {@code limitTxnsPerMin}. */
public enum LimitPacing implements NamedConstant {
  /**
   * On a fixed schedule: what is due while the system is stalled stays due, and its latency counts
   * from then.
   */
  SCHEDULE,
  /**
   * A pause after each transaction, as in BenchmarkSQL: what a stall keeps from being sent is lost.
   */
  BENCHMARKSQL
}
