package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.LatencyFigure;
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
    List<StatementResult> statements = run.result().statements();
    if (statements.isEmpty()) {
      return Optional.empty();
    }
    double all = statements.stream().mapToDouble(StatementResult::totalSeconds).sum();
    Columns<StatementResult> columns =
        new Columns<StatementResult>()
            .text("Type", StatementResult::type)
            .number("Count", row -> Texts.count(row.latencyMillis().count()))
            .number("Share", row -> Texts.three(100 * row.totalSeconds() / all) + " %")
            .latencies(StatementResult::latencyMillis, LatencyFigure.SOME)
            .prose("Statement", StatementResult::statement);
    return Optional.of(
        new Section(
            "statements",
            "Statements",
            "Share is that of the time of all statements. A batch, and several statements sent at"
                + " once, are one.",
            List.of(Block.of(columns.table("Times from call to answer, in ms", statements)))));
  }
}
