package io.shardmark.driver.results;

/**
 * How long one statement of one type took in the measurement interval, failed executions included.
 *
 * @param type name of the type of transactions
 * @param statement its text, or COMMIT, or ROLLBACK; a batch, and several statements sent at once,
 *     are one
 * @param totalSeconds of all executions together
 * @param latencyMillis from the call to the answer
 */
public record StatementResult(
    String type, String statement, double totalSeconds, Latency latencyMillis) {}
