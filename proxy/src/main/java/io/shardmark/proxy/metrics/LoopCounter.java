package io.shardmark.proxy.metrics;

/** What an event loop counts; {@link LoopCounters} holds the numbers. */
public enum LoopCounter {
  /** Client connections accepted. */
  CLIENTS_ACCEPTED("shardmark_clients_accepted", "", "", "Client connections accepted"),
  /** Logins that succeeded. */
  LOGIN_OK("shardmark_logins", "result", "ok", "Client logins by result"),
  /** Wrong user, password or certificate. */
  LOGIN_REFUSED("shardmark_logins", "result", "refused", "Client logins by result"),
  /** Over max_clients or draining. */
  LOGIN_TURNED_AWAY("shardmark_logins", "result", "turned_away", "Client logins by result"),
  /** Ended otherwise before it was through: a broken protocol, the link, login_timeout. */
  LOGIN_FAILED("shardmark_logins", "result", "failed", "Client logins by result"),
  /** Ended for a broken protocol (08P01). */
  PROTOCOL_VIOLATIONS(
      "shardmark_protocol_violations", "", "", "Sessions ended for a broken protocol"),
  /** Bytes read from clients that have logged in, without TLS's own. */
  CLIENT_BYTES_IN("shardmark_client_bytes", "direction", "in", "Bytes from and to clients"),
  /** Bytes written to them. */
  CLIENT_BYTES_OUT("shardmark_client_bytes", "direction", "out", "Bytes from and to clients"),

  /** Statements sent to one shard by their key or by hand. */
  STATEMENTS_ONE_SHARD("shardmark_statements", "route", "one_shard", "Statements by route"),
  /** Statements that any shard can answer. */
  STATEMENTS_ANY_SHARD("shardmark_statements", "route", "any_shard", "Statements by route"),
  /** Rows of several shards merged. */
  STATEMENTS_MERGED("shardmark_statements", "route", "merged", "Statements by route"),
  /** The same write on several shards of a sharded table. */
  STATEMENTS_WRITTEN_ON_SEVERAL(
      "shardmark_statements", "route", "written_on_several", "Statements by route"),
  /** Written on all shards: reference tables. */
  STATEMENTS_REFERENCE_WRITE(
      "shardmark_statements", "route", "reference_write", "Statements by route"),
  /** INSERT of several rows cut by shard. */
  STATEMENTS_SPLIT("shardmark_statements", "route", "split", "Statements by route"),
  /** COPY. */
  STATEMENTS_COPY("shardmark_statements", "route", "copy", "Statements by route"),
  /** DDL and maintenance. */
  STATEMENTS_DDL("shardmark_statements", "route", "ddl", "Statements by route"),
  /** BEGIN, SET, SHOW SHARD MAP and others that the proxy answers. */
  STATEMENTS_LOCAL("shardmark_statements", "route", "local", "Statements by route"),
  /** Refused with 0A000. */
  STATEMENTS_REFUSED("shardmark_statements", "route", "refused", "Statements by route"),
  /** Texts that were looked up in the plan cache. */
  PLAN_LOOKUPS("shardmark_plan_lookups", "", "", "Statement texts looked up in the plan cache"),

  /** Committed on one shard. */
  COMMITS_ONE_SHARD("shardmark_commits", "kind", "one_shard", "Transactions committed by kind"),
  /** Several shards, none or one of which wrote. */
  COMMITS_ONE_WRITER("shardmark_commits", "kind", "one_writer", "Transactions committed by kind"),
  /** Several shards wrote. */
  COMMITS_TWO_PHASE("shardmark_commits", "kind", "two_phase", "Transactions committed by kind"),
  /** Rolled back by the client or after an error. */
  ROLLBACKS("shardmark_rollbacks", "", "", "Transactions rolled back"),
  /** The client asked to commit, and everything was rolled back. */
  COMMITS_ABORTED("shardmark_commits_aborted", "", "", "Commits that ended in a rollback"),
  /** A commit lost a participant that recovery has to finish. */
  COMMITS_LEFT(
      "shardmark_commits_left_to_recovery", "", "", "Commits of which recovery finishes a part"),
  /** 08007 was answered. */
  COMMITS_UNKNOWN("shardmark_commits_unknown", "", "", "Commits whose outcome could not be told"),

  /** Cancel requests that reached a session. */
  CANCELS("shardmark_cancels", "", "", "Cancel requests that reached a session"),
  /** Sessions with connections of their own (pinned). */
  SESSIONS_PINNED(
      "shardmark_sessions_pinned", "", "", "Times a session kept its server connection");

  private final String family;
  private final String label;
  private final String value;
  private final String help;

  /**
   * @param family metric name without {@code _total}
   * @param label name of the one label, "" for none
   */
  LoopCounter(String family, String label, String value, String help) {
    this.family = family;
    this.label = label;
    this.value = value;
    this.help = help;
  }

  String family() {
    return family;
  }

  String label() {
    return label;
  }

  String value() {
    return value;
  }

  String help() {
    return help;
  }
}
