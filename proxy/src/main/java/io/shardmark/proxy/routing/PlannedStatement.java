package io.shardmark.proxy.routing;

/**
 * A statement with its plan.
 *
 * @param sql as the client wrote it, without a semicolon at its end
 * @param tag the command tag's first word as PostgreSQL would give it (SELECT, INSERT, CREATE
 *     TABLE)
 * @param copiesIn COPY ... FROM STDIN, whoever executes it: the client's CopyData belong to it
 */
public record PlannedStatement(String sql, String tag, StatementPlan plan, boolean copiesIn) {
  /** What takes no CopyData. */
  public PlannedStatement(String sql, String tag, StatementPlan plan) {
    this(sql, tag, plan, false);
  }
}
