package io.shardmark.driver.measure;

import io.shardmark.driver.results.Latency;

/**
 * How long one statement of one type of transaction took in the measurement interval, failed
 * executions included.
 *
 * @param typeIndex of the type
 * @param statement its text, or COMMIT, or ROLLBACK; a batch, and several statements sent at once,
 *     are one
 * @param totalNanos of all executions together
 * @param latency from the call to the answer, with how many there were
 */
public record StatementFigures(int typeIndex, String statement, long totalNanos, Latency latency) {}
