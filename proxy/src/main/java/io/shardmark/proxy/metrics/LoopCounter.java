package io.shardmark.proxy.metrics;

/** What an event loop counts; {@link LoopCounters} holds the numbers. */
public enum LoopCounter {
  /** Client connections accepted. */
  CLIENTS_ACCEPTED(new MetricName("shardmark_clients_accepted", "Client connections accepted")),
  /** Logins that succeeded. */
  LOGIN_OK(logins("ok")),
  /** Wrong user, password or certificate. */
  LOGIN_REFUSED(logins("refused")),
  /** Over max_clients or draining. */
  LOGIN_TURNED_AWAY(logins("turned_away")),
  /** Ended otherwise before it was through: a broken protocol, the link, login_timeout. */
  LOGIN_FAILED(logins("failed")),
  /** Ended for a broken protocol (08P01). */
  PROTOCOL_VIOLATIONS(
      new MetricName("shardmark_protocol_violations", "Sessions ended for a broken protocol")),
  /** Bytes read from clients that have logged in, without TLS's own. */
  CLIENT_BYTES_IN(bytes("in")),
  /** Bytes written to them. */
  CLIENT_BYTES_OUT(bytes("out")),

  /** Statements sent to one shard by their key or by hand. */
  STATEMENTS_ONE_SHARD(statements("one_shard")),
  /** Statements that any shard can answer. */
  STATEMENTS_ANY_SHARD(statements("any_shard")),
  /** Rows of several shards merged. */
  STATEMENTS_MERGED(statements("merged")),
  /** The same write on several shards of a sharded table. */
  STATEMENTS_WRITTEN_ON_SEVERAL(statements("written_on_several")),
  /** Written on all shards: reference tables. */
  STATEMENTS_REFERENCE_WRITE(statements("reference_write")),
  /** INSERT of several rows cut by shard. */
  STATEMENTS_SPLIT(statements("split")),
  /** COPY. */
  STATEMENTS_COPY(statements("copy")),
  /** DDL and maintenance. */
  STATEMENTS_DDL(statements("ddl")),
  /** BEGIN, SET, SHOW SHARD MAP and others that the proxy answers. */
  STATEMENTS_LOCAL(statements("local")),
  /** Refused with 0A000. */
  STATEMENTS_REFUSED(statements("refused")),
  /** Texts that were looked up in the plan cache. */
  PLAN_LOOKUPS(
      new MetricName("shardmark_plan_lookups", "Statement texts looked up in the plan cache")),

  /** Committed on one shard. */
  COMMITS_ONE_SHARD(commits("one_shard")),
  /** Several shards, none or one of which wrote. */
  COMMITS_ONE_WRITER(commits("one_writer")),
  /** Several shards wrote. */
  COMMITS_TWO_PHASE(commits("two_phase")),
  /** Rolled back by the client or after an error. */
  ROLLBACKS(new MetricName("shardmark_rollbacks", "Transactions rolled back")),
  /** The client asked to commit, and everything was rolled back. */
  COMMITS_ABORTED(new MetricName("shardmark_commits_aborted", "Commits that ended in a rollback")),
  /** A commit lost a participant that recovery has to finish. */
  COMMITS_LEFT(
      new MetricName(
          "shardmark_commits_left_to_recovery", "Commits of which recovery finishes a part")),
  /** 08007 was answered. */
  COMMITS_UNKNOWN(
      new MetricName("shardmark_commits_unknown", "Commits whose outcome could not be told")),

  /** Cancel requests that reached a session. */
  CANCELS(new MetricName("shardmark_cancels", "Cancel requests that reached a session")),
  /** Sessions with connections of their own (pinned). */
  SESSIONS_PINNED(
      new MetricName("shardmark_sessions_pinned", "Times a session kept its server connection"));

  private static MetricName logins(String result) {
    return new MetricName("shardmark_logins", "result", result, "Client logins by result");
  }

  private static MetricName bytes(String direction) {
    return new MetricName(
        "shardmark_client_bytes", "direction", direction, "Bytes from and to clients");
  }

  private static MetricName statements(String route) {
    return new MetricName("shardmark_statements", "route", route, "Statements by route");
  }

  private static MetricName commits(String kind) {
    return new MetricName("shardmark_commits", "kind", kind, "Transactions committed by kind");
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
