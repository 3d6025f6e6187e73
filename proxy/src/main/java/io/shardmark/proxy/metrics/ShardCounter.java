package io.shardmark.proxy.metrics;

/** What an event loop counts for each shard, and the present numbers of its pools for it. */
public enum ShardCounter {
  /** Statements sent there, also parts of scattered ones. */
  STATEMENTS(new MetricName("shard_statements", "Statements sent to the shard")),
  SERVER_LOGINS(new MetricName("server_logins", "Server connections opened")),
  SERVER_LOGIN_FAILURES(
      new MetricName("server_login_failures", "Server connections that failed to open")),
  SERVER_LOSSES(new MetricName("server_losses", "Server connections lost while in use")),
  POOL_WAITS(new MetricName("pool_waits", "Times a client had to wait for a server connection")),
  /** Sum of those waits, in nanoseconds. */
  POOL_WAIT_NANOS(new MetricName("pool_wait_seconds", "Time waited for server connections")),
  POOL_TIMEOUTS(new MetricName("pool_timeouts", "Waits for a server connection given up")),
  RESERVE_USES(new MetricName("pool_reserve_uses", "Server connections opened beyond pool_size")),
  SERVER_PREPARES(new MetricName("server_prepares", "Parse messages sent to the shard")),
  /** Bytes that clients' server connections read from the shard, without TLS's own. */
  BYTES_IN(new MetricName("shard_bytes_in", "Bytes from the shard")),
  /** Bytes that they wrote to the shard. */
  BYTES_OUT(new MetricName("shard_bytes_out", "Bytes to the shard")),

  SERVERS_ACTIVE(servers("active")),
  SERVERS_IDLE(servers("idle")),
  SERVERS_CONNECTING(servers("connecting")),
  CLIENTS_WAITING(
      new MetricName("clients_waiting", "Clients waiting for a server connection").asGauge());

  private static MetricName servers(String state) {
    return new MetricName("servers", "state", state, "Server connections by state").asGauge();
  }

  @SuppressWarnings("ImmutableEnumChecker") // a record of values
  private final MetricName metric;

  ShardCounter(MetricName metric) {
    this.metric = metric;
  }

  MetricName metric() {
    return metric;
  }

  /** From the number kept to the number shown: seconds are kept as nanoseconds. */
  double scale() {
    return this == POOL_WAIT_NANOS ? 1e-9 : 1;
  }
}
