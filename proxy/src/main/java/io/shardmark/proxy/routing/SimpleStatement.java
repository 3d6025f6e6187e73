package io.shardmark.proxy.routing;

/**
 * A statement of the simple protocol with its plan.
 *
 * @param literals the values of the plan's parameters: the literals of the statement's text
 */
public record SimpleStatement(PlannedStatement planned, ParameterSource literals) {}
