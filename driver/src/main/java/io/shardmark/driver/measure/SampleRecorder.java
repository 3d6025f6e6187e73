package io.shardmark.driver.measure;

/**
 * Where one worker thread reports its finished transactions. Not shared between workers; never
 * blocks on a lock, allocates nothing.
 */
public interface SampleRecorder {
  /**
   * Records one finished transaction.
   *
   * @param times its instants; read before this method returns
   * @param typeIndex {@link io.shardmark.driver.benchmark.TransactionType#index()}
   * @param disposition how it ended
   * @param retries how often it was tried again, from 0
   * @param skipped units of work that found nothing to do, from 0
   * @param distributed true if it touched more than one partition
   */
  void record(
      TransactionTimes times,
      int typeIndex,
      Disposition disposition,
      int retries,
      int skipped,
      boolean distributed);

  /**
   * Records the text of an error. Rare, so it may allocate and lock.
   *
   * @param type name of the type of the transaction that met it
   * @param disposition its class; not a success
   * @param sqlState SQLSTATE, or an empty text
   * @param message the first line of the message
   * @param retried true if the transaction was tried again after it
   */
  void error(
      String type, Disposition disposition, String sqlState, String message, boolean retried);
}
