package io.shardmark.driver.report;

import java.util.Map;

/**
 * A statement of a type as {@code summary.json} has it.
 *
 * @param type name of the type of transactions
 * @param statement its text
 * @param totalSeconds of all executions together
 * @param latencyMillis from call to answer
 */
public record StatementRow(
    String type, String statement, double totalSeconds, Map<String, Double> latencyMillis) {
  public StatementRow {
    latencyMillis = Map.copyOf(latencyMillis);
  }
}
