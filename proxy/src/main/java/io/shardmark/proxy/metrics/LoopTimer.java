package io.shardmark.proxy.metrics;

/** Durations that an event loop records. */
public enum LoopTimer {
  /** From the first PREPARE TRANSACTION to the last answer. */
  PREPARE("shardmark_commit_phase", "prepare", "Phases of commits over several shards"),
  /** The anchor's decision and COMMIT. */
  DECIDE("shardmark_commit_phase", "decide", "Phases of commits over several shards"),
  /** COMMIT PREPARED on the others. */
  COMMIT_PREPARED(
      "shardmark_commit_phase", "commit_prepared", "Phases of commits over several shards"),
  /** Plain COMMITs of a transaction over several shards, one of which at most wrote. */
  COMMIT("shardmark_commit_phase", "commit", "Phases of commits over several shards"),
  /** How long clients waited for a server connection, those that had to wait. */
  POOL_WAIT("shardmark_pool_wait_time", "", "Waits for a server connection"),
  /** How late a task runs that a loop was asked to run at a time: what a message may wait. */
  LOOP_LAG("shardmark_loop_lag", "", "How late an event loop runs a task");

  private final String family;
  private final String phase;
  private final String help;

  LoopTimer(String family, String phase, String help) {
    this.family = family;
    this.phase = phase;
    this.help = help;
  }

  /** Without the unit, which Prometheus' form adds. */
  String family() {
    return family;
  }

  /** Value of the label {@code phase}; "" for no label. */
  String phase() {
    return phase;
  }

  String help() {
    return help;
  }
}
