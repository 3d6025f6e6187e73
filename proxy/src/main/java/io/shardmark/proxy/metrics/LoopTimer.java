package io.shardmark.proxy.metrics;

/** Durations that an event loop records. */
public enum LoopTimer {
  /** From the first PREPARE TRANSACTION to the last answer. */
  PREPARE(phase("prepare")),
  /** The anchor's decision and COMMIT. */
  DECIDE(phase("decide")),
  /** COMMIT PREPARED on the others. */
  COMMIT_PREPARED(phase("commit_prepared")),
  /** Plain COMMITs of a transaction over several shards, one of which at most wrote. */
  COMMIT(phase("commit")),
  /** How long clients waited for a server connection, those that had to wait. */
  POOL_WAIT(new MetricName("pool_wait_time", "Waits for a server connection")),
  /** How late a task runs that a loop was asked to run at a time: what a message may wait. */
  LOOP_LAG(new MetricName("loop_lag", "How late an event loop runs a task"));

  private static MetricName phase(String phase) {
    return new MetricName("commit_phase", "phase", phase, "Phases of commits over several shards");
  }

  @SuppressWarnings("ImmutableEnumChecker") // a record of values
  private final MetricName metric;

  LoopTimer(MetricName metric) {
    this.metric = metric;
  }

  MetricName metric() {
    return metric;
  }
}
