package io.shardmark.proxy.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What background threads count: recovery, deadlocks, catalog. Any thread, any time. */
public final class BackgroundCounters {
  private final LongAdder recoveredCommitted = new LongAdder();
  private final LongAdder recoveredRolledBack = new LongAdder();
  private final LongAdder recoveryFailures = new LongAdder();
  private final LongAdder deadlocksBroken = new LongAdder();
  private final LongAdder catalogRefreshes = new LongAdder();
  private final LongAdder catalogFailures = new LongAdder();
  private final AtomicLong inDoubt = new AtomicLong();

  /**
   * One run of recovery.
   *
   * @param committed prepared transactions it committed
   * @param rolledBack prepared transactions it rolled back
   * @param left those it could not finish
   */
  public void recoveryRan(int committed, int rolledBack, int left) {
    recoveredCommitted.add(committed);
    recoveredRolledBack.add(rolledBack);
    inDoubt.set(left);
  }

  /** A shard could not be asked in a run of recovery; it will be asked again. */
  public void recoveryFailed() {
    recoveryFailures.increment();
  }

  /** A distributed deadlock was found and a member cancelled. */
  public void deadlockBroken() {
    deadlocksBroken.increment();
  }

  /** The shard map was read again. */
  public void catalogRefreshed() {
    catalogRefreshes.increment();
  }

  /** The shard map could not be read. */
  public void catalogFailed() {
    catalogFailures.increment();
  }

  public long recoveredCommittedCount() {
    return recoveredCommitted.sum();
  }

  public long recoveredRolledBackCount() {
    return recoveredRolledBack.sum();
  }

  public long recoveryFailureCount() {
    return recoveryFailures.sum();
  }

  public long deadlocksBrokenCount() {
    return deadlocksBroken.sum();
  }

  public long catalogRefreshCount() {
    return catalogRefreshes.sum();
  }

  public long catalogFailureCount() {
    return catalogFailures.sum();
  }

  public long inDoubt() {
    return inDoubt.get();
  }
}
