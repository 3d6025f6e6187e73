package io.shardmark.driver.report.html;

import io.shardmark.driver.report.RunData;
import io.shardmark.driver.report.StatementRow;
import io.shardmark.driver.report.html.Page.Block;
import io.shardmark.driver.report.html.Page.Section;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What each statement took, by type of transaction. */
final class StatementsSection {
  private StatementsSection() {}

  /** Only of a run that timed them. */
  static Optional<Section> of(RunData run) {
    if (run.statements().isEmpty()) {
      return Optional.empty();
    }
    double all = run.statements().stream().mapToDouble(StatementRow::totalSeconds).sum();
    TableBuilder table =
        new TableBuilder("Times from call to answer, in ms")
            .text("Type")
            .number("Count", "Share", "Mean", "p50", "p90", "p99", "Max")
            .prose("Statement");
    for (StatementRow row : run.statements()) {
      Map<String, Double> millis = row.latencyMillis();
      table.row(
          row.type(),
          Texts.count(Math.round(millis.getOrDefault("count", 0.0))),
          Texts.three(100 * row.totalSeconds() / all) + " %",
          millis(millis, "mean"),
          millis(millis, "p50"),
          millis(millis, "p90"),
          millis(millis, "p99"),
          millis(millis, "max"),
          row.statement());
    }
    return Optional.of(
        new Section(
            "statements",
            "Statements",
            "Share is that of the time of all statements. A batch, and several statements sent at"
                + " once, are one.",
            List.of(Block.of(table.build()))));
  }

  private static String millis(Map<String, Double> figures, String name) {
    return figures.containsKey(name) ? Texts.three(figures.get(name)) : Texts.NONE;
  }
}
