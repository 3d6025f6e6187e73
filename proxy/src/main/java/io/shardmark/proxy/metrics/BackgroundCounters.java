package io.shardmark.proxy.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** What background threads count: recovery, deadlocks, catalog. Any thread, any time. */
public final class BackgroundCounters {
  private static final String RECOVERED = "shardmark_recovered_transactions";

  private final Counter recoveredCommitted;
  private final Counter recoveredRolledBack;
  private final Counter recoveryFailures;
  private final Counter deadlocksBroken;
  private final Counter catalogReads;
  private final Counter catalogFailures;
  private final AtomicLong inDoubt = new AtomicLong();

  BackgroundCounters(MeterRegistry registry) {
    String finished = "Prepared transactions finished by recovery";
    recoveredCommitted = counter(registry, RECOVERED, finished, "outcome", "committed");
    recoveredRolledBack = counter(registry, RECOVERED, finished, "outcome", "rolled_back");
    recoveryFailures =
        counter(registry, "shardmark_recovery_failures", "Recovery attempts that failed");
    deadlocksBroken =
        counter(
            registry,
            "shardmark_deadlocks_broken",
            "Deadlocks over several shards that were broken");
    catalogReads = counter(registry, "shardmark_catalog_reads", "Looks at the catalogs");
    catalogFailures =
        counter(
            registry,
            "shardmark_catalog_failures",
            "Looks at the catalogs in which a shard did not answer");
    Gauge.builder("shardmark_transactions_in_doubt", inDoubt, AtomicLong::get)
        .description("Prepared transactions without decision at the last look")
        .register(registry);
  }

  private static Counter counter(MeterRegistry registry, String name, String help, String... tags) {
    return Counter.builder(name).description(help).tags(tags).register(registry);
  }

  /**
   * One run of recovery.
   *
   * @param committed prepared transactions it committed
   * @param rolledBack prepared transactions it rolled back
   * @param left those it could not finish
   */
  public void recoveryRan(int committed, int rolledBack, int left) {
    recoveredCommitted.increment(committed);
    recoveredRolledBack.increment(rolledBack);
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
    catalogReads.increment();
  }

  /** The shard map could not be read. */
  public void catalogFailed() {
    catalogFailures.increment();
  }
}
