package io.shardmark.proxy.metrics;

/** Present numbers of an event loop. */
public enum LoopGauge {
  /** Clients that have logged in, but not to the admin database. */
  CLIENTS(new MetricName("shardmark_clients", "Clients that have logged in")),
  /** Clients that hold a server connection: in pool_mode session, all that ever needed one. */
  CLIENTS_ACTIVE(
      new MetricName("shardmark_clients_active", "Clients that hold a server connection")),
  /** Two-phase commits under way. */
  TWO_PHASE_COMMITS_OPEN(
      new MetricName("shardmark_two_phase_commits_open", "Two-phase commits under way"));

  @SuppressWarnings("ImmutableEnumChecker") // a record of values
  private final MetricName metric;

  LoopGauge(MetricName metric) {
    this.metric = metric;
  }

  MetricName metric() {
    return metric;
  }
}
