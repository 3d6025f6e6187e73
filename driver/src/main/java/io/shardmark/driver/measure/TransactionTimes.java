package io.shardmark.driver.measure;

/**
 * The four instants of one transaction, on the clock of {@link System#nanoTime()}, and where it was
 * at home. Mutable scratch space of one worker thread, so that recording allocates nothing.
 */
public final class TransactionTimes {
  /**
   * When the terminal wanted it sent (end of its keying time); latency without coordinated omission
   * counts from here.
   */
  public long dueNanos;

  /** When a worker took it up; from due to here it waited for a worker. */
  public long dequeuedNanos;

  /**
   * When a connection was available and the first statement left; from dequeued to here it waited
   * for a connection.
   */
  public long startNanos;

  /** When the last byte of the answer was in and the transaction was over, retries included. */
  public long endNanos;

  /** {@link io.shardmark.driver.benchmark.Workload#homePartition} of it. */
  public int homePartition = -1;
}
