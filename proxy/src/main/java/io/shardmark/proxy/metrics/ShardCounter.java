package io.shardmark.proxy.metrics;

/** What an event loop counts for each shard. */
public enum ShardCounter {
  /** Statements sent there, also parts of scattered ones. */
  STATEMENTS("shardmark_shard_statements", "Statements sent to the shard"),
  /** Server connections opened and logged in. */
  SERVER_LOGINS("shardmark_server_logins", "Server connections opened"),
  /** Attempts that failed. */
  SERVER_LOGIN_FAILURES(
      "shardmark_server_login_failures", "Server connections that failed to open"),
  /** Server connections lost while in use. */
  SERVER_LOSSES("shardmark_server_losses", "Server connections lost while in use"),
  /** Clients that found no free server connection. */
  POOL_WAITS("shardmark_pool_waits", "Times a client had to wait for a server connection"),
  /** Sum of those waits, in nanoseconds. */
  POOL_WAIT_NANOS("shardmark_pool_wait_seconds", "Time waited for server connections"),
  /** 53300 after pool_wait_timeout. */
  POOL_TIMEOUTS("shardmark_pool_timeouts", "Waits for a server connection given up"),
  /** Connections beyond the pool for clients that hold one of another shard. */
  RESERVE_USES("shardmark_pool_reserve_uses", "Server connections opened beyond pool_size"),
  /** Statements prepared on server connections on behalf of clients. */
  SERVER_PREPARES("shardmark_server_prepares", "Parse messages sent to the shard"),
  /** Bytes that clients' server connections read from the shard, without TLS's own. */
  BYTES_IN("shardmark_shard_bytes_in", "Bytes from the shard"),
  /** Bytes that they wrote to the shard. */
  BYTES_OUT("shardmark_shard_bytes_out", "Bytes to the shard");

  private final String family;
  private final String help;

  ShardCounter(String family, String help) {
    this.family = family;
    this.help = help;
  }

  String family() {
    return family;
  }

  String help() {
    return help;
  }

  /** From the number kept to the number shown: seconds are kept as nanoseconds. */
  double scale() {
    return this == POOL_WAIT_NANOS ? 1e-9 : 1;
  }
}
