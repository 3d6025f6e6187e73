package io.shardmark.proxy.metrics;

/** What an event loop counts, and its present numbers; {@link LoopCounters} holds them. */
public enum LoopCounter {
  CLIENTS_ACCEPTED(new MetricName("clients_accepted", "Client connections accepted")),
  LOGIN_OK(logins("ok")),
  /** Wrong user, password or certificate. */
  LOGIN_REFUSED(logins("refused")),
  /** Over max_clients or draining. */
  LOGIN_TURNED_AWAY(logins("turned_away")),
  /** Ended otherwise before it was through: a broken protocol, the link, login_timeout. */
  LOGIN_FAILED(logins("failed")),
  PROTOCOL_VIOLATIONS(
      new MetricName("protocol_violations", "Sessions ended for a broken protocol")),
  /** Bytes read from clients that have logged in, without TLS's own. */
  CLIENT_BYTES_IN(bytes("in")),
  CLIENT_BYTES_OUT(bytes("out")),

  /** By their key or by hand. */
  STATEMENTS_ONE_SHARD(statements("one_shard")),
  STATEMENTS_ANY_SHARD(statements("any_shard")),
  STATEMENTS_MERGED(statements("merged")),
  /** The same write on several shards of a sharded table. */
  STATEMENTS_WRITTEN_ON_SEVERAL(statements("written_on_several")),
  /** Written on all shards: reference tables. */
  STATEMENTS_REFERENCE_WRITE(statements("reference_write")),
  /** INSERT of several rows cut by shard. */
  STATEMENTS_SPLIT(statements("split")),
  STATEMENTS_COPY(statements("copy")),
  STATEMENTS_DDL(statements("ddl")),
  /** BEGIN, SET, SHOW SHARD MAP and others that the proxy answers. */
  STATEMENTS_LOCAL(statements("local")),
  /** Refused with 0A000. */
  STATEMENTS_REFUSED(statements("refused")),
  PLAN_LOOKUPS(new MetricName("plan_lookups", "Statement texts looked up in the plan cache")),

  COMMITS_ONE_SHARD(commits("one_shard")),
  /** Several shards, none or one of which wrote. */
  COMMITS_ONE_WRITER(commits("one_writer")),
  /** Several shards wrote. */
  COMMITS_TWO_PHASE(commits("two_phase")),
  ROLLBACKS(new MetricName("rollbacks", "Transactions rolled back")),
  COMMITS_ABORTED(new MetricName("commits_aborted", "Commits that ended in a rollback")),
  COMMITS_LEFT(
      new MetricName("commits_left_to_recovery", "Commits of which recovery finishes a part")),
  /** 08007 was answered. */
  COMMITS_UNKNOWN(new MetricName("commits_unknown", "Commits whose outcome stayed unknown")),

  CANCELS(new MetricName("cancels", "Cancel requests that reached a session")),
  SESSIONS_PINNED(new MetricName("sessions_pinned", "Times a session kept its server connection")),

  /** Without those of the admin database. */
  CLIENTS(new MetricName("clients", "Clients that have logged in").asGauge()),
  /** In pool_mode session, all that ever needed one. */
  CLIENTS_ACTIVE(
      new MetricName("clients_active", "Clients that hold a server connection").asGauge()),
  TWO_PHASE_COMMITS_OPEN(
      new MetricName("two_phase_commits_open", "Two-phase commits under way").asGauge());

  private static MetricName logins(String result) {
    return new MetricName("logins", "result", result, "Client logins by result");
  }

  private static MetricName bytes(String direction) {
    return new MetricName("client_bytes", "direction", direction, "Bytes from and to clients");
  }

  private static MetricName statements(String route) {
    return new MetricName("statements", "route", route, "Statements by route");
  }

  private static MetricName commits(String kind) {
    return new MetricName("commits", "kind", kind, "Transactions committed by kind");
  }

  @SuppressWarnings("ImmutableEnumChecker") // a record of values
  private final MetricName metric;

  LoopCounter(MetricName metric) {
    this.metric = metric;
  }

  MetricName metric() {
    return metric;
  }
}
