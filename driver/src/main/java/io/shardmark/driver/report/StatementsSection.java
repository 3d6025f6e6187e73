package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.StatementResult;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import java.util.List;
import java.util.Optional;

/** What each statement took, by type of transaction. */
final class StatementsSection {
  private StatementsSection() {}

  /** Only of a run that timed them. */
  static Optional<Section> of(RunData run) {
    if (run.result().statements().isEmpty()) {
      return Optional.empty();
    }
    double all =
        run.result().statements().stream().mapToDouble(StatementResult::totalSeconds).sum();
    TableBuilder table =
        new TableBuilder("Times from call to answer, in ms")
            .text("Type")
            .number("Count", "Share", "Mean", "p50", "p90", "p99", "Max")
            .prose("Statement");
    for (StatementResult row : run.result().statements()) {
      Latency millis = row.latencyMillis();
      table.row(
          row.type(),
          Texts.count(millis.count()),
          Texts.three(100 * row.totalSeconds() / all) + " %",
          Texts.three(millis.mean()),
          Texts.three(millis.p50()),
          Texts.three(millis.p90()),
          Texts.three(millis.p99()),
          Texts.three(millis.max()),
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
}
