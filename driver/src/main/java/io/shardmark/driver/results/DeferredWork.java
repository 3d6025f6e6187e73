package io.shardmark.driver.results;

/**
 * Work that transactions left to the background and that was never executed. Both are 0 where
 * nothing is deferred.
 *
 * @param notBegun still in its queue when the run ended
 * @param refused found its queue full
 */
public record DeferredWork(long notBegun, long refused) {
  public static final DeferredWork NONE = new DeferredWork(0, 0);
}
