package io.shardmark.proxy.metrics;

/** Present numbers of an event loop's pool for one shard. */
public enum ShardGauge {
  /** Server connections that a client holds. */
  SERVERS_ACTIVE(server("active")),
  /** Server connections free for use. */
  SERVERS_IDLE(server("idle")),
  /** Server connections being opened. */
  SERVERS_CONNECTING(server("connecting")),
  /** Clients waiting for one. */
  CLIENTS_WAITING(
      new MetricName("shardmark_clients_waiting", "Clients waiting for a server connection"));

  private static MetricName server(String state) {
    return new MetricName("shardmark_servers", "state", state, "Server connections by state");
  }

  @SuppressWarnings("ImmutableEnumChecker") // a record of values
  private final MetricName metric;

  ShardGauge(MetricName metric) {
    this.metric = metric;
  }

  MetricName metric() {
    return metric;
  }
}
