package io.shardmark.proxy.metrics;

/** Present numbers of an event loop's pool for one shard. */
public enum ShardGauge {
  /** Server connections that a client holds. */
  SERVERS_ACTIVE("active"),
  /** Server connections free for use. */
  SERVERS_IDLE("idle"),
  /** Server connections being opened. */
  SERVERS_CONNECTING("connecting"),
  /** Clients waiting for one. */
  CLIENTS_WAITING("");

  private final String state;

  ShardGauge(String state) {
    this.state = state;
  }

  String family() {
    return state.isEmpty() ? "shardmark_clients_waiting" : "shardmark_servers";
  }

  String help() {
    return state.isEmpty()
        ? "Clients waiting for a server connection"
        : "Server connections by state";
  }

  /** Value of the label of {@code shardmark_servers}; "" for what is no server connection. */
  String state() {
    return state;
  }
}
