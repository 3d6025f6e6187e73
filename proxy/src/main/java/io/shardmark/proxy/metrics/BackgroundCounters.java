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

  /** Recovery sent COMMIT PREPARED. */
  public void recoveredCommitted() {
    recoveredCommitted.increment();
  }

  /** Recovery sent ROLLBACK PREPARED. */
  public void recoveredRolledBack() {
    recoveredRolledBack.increment();
  }

  /** Recovery could not reach a shard or finish a transaction; it will try again. */
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

  /** Prepared transactions of ours seen on the shards at the last look. */
  public void setInDoubt(long transactions) {
    inDoubt.set(transactions);
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
