package io.shardmark.proxy.routing;

/**
 * A statement with its plan.
 *
 * @param sql as the client wrote it, without a semicolon at its end
 * @param tag the command tag's first word as PostgreSQL would give it (SELECT, INSERT, CREATE
 *     TABLE)
 */
public record PlannedStatement(String sql, String tag, StatementPlan plan) {}
