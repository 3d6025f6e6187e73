package io.shardmark.driver.benchmark;

/** One transaction with its input, drawn once and kept across retries. Immutable. */
public interface Transaction {
  TransactionType type();

  /** True if it touches more than one partition of the data (for TPC-C: a remote warehouse). */
  default boolean isDistributed() {
    return false;
  }

  /**
   * Adds what this input contributes to the input audit. Called once for each transaction that
   * ended in the measurement interval.
   *
   * @param counters owned by the calling worker; indexed as the workload's {@link AuditRule}s say
   */
  default void countInto(long[] counters) {}
}
