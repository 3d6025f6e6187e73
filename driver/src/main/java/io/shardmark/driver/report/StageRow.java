package io.shardmark.driver.report;

import java.util.Map;

/**
 * A stage of a run as {@code summary.json} has it.
 *
 * @param stage as it was asked for, such as {@code 10m:5000}
 * @param figures {@code seconds}, {@code tpmC}, {@code tpmTotal}, {@code errors}
 * @param load what was due, begun and done, and the backlog
 * @param latencyMillis from due to done; empty if nothing succeeded and nothing was due
 */
public record StageRow(
    String stage,
    Map<String, Double> figures,
    Map<String, Double> load,
    Map<String, Double> latencyMillis) {
  public StageRow {
    figures = Map.copyOf(figures);
    load = Map.copyOf(load);
    latencyMillis = Map.copyOf(latencyMillis);
  }
}
