package io.shardmark.driver.benchmark;

import org.jspecify.annotations.Nullable;

/**
 * How a transaction that was executed without an error ended.
 *
 * @param committed true if it committed; false if it was rolled back on purpose (TPC-C 2.4.1.4)
 * @param skipped units of work that found nothing to do (TPC-C 2.7.4.2: districts without an
 *     undelivered order)
 * @param followUp work that was only queued by this transaction and runs apart from it (TPC-C 2.7:
 *     the deferred part of a Delivery)
 */
public record Outcome(boolean committed, int skipped, @Nullable Transaction followUp) {
  public static final Outcome COMMITTED = new Outcome(true, 0, null);
  public static final Outcome ROLLED_BACK = new Outcome(false, 0, null);

  public static Outcome committedSkipping(int skipped) {
    return skipped == 0 ? COMMITTED : new Outcome(true, skipped, null);
  }

  public static Outcome queued(Transaction followUp) {
    return new Outcome(true, 0, followUp);
  }
}
