package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Grade;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.AuditRow;
import io.shardmark.driver.results.AuditVerdict;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.SummaryTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What TPC-C asks of a run. */
final class RuleSections {
  private final RunData run;

  RuleSections(RunData run) {
    this.run = run;
  }

  Section rules() {
    List<Block> blocks = new ArrayList<>();
    if (!run.result().audit().isEmpty()) {
      blocks.add(audit());
    }
    if (run.tpcc()) {
      blocks.add(Block.note(efficiency(run)));
    }
    return new Section("rules", run.workload() + "'s rules", "", blocks);
  }

  private Block audit() {
    TableBuilder table =
        new TableBuilder("Input audit: what the driver fed into the system")
            .text("Clause")
            .prose("What")
            .number("Low", "Value", "High", "Samples")
            .prose("Verdict");
    for (AuditRow row : run.result().audit()) {
      boolean judged = row.verdict() != AuditVerdict.NOT_APPLICABLE;
      String verdict = judged ? row.verdict().name().toLowerCase(Locale.ROOT) : "not judged";
      table
          .row(
              row.clause(),
              row.description(),
              value(row.low(), row.inPercent()),
              row.value() == null ? Texts.NONE : value(row.value(), row.inPercent()),
              value(row.high(), row.inPercent()),
              Texts.count(row.denominator()),
              verdict + (row.reason().isEmpty() ? "" : ": " + row.reason()))
          .graded(grade(row.verdict()));
    }
    return Block.of(table.build());
  }

  private static String value(double value, boolean percent) {
    return String.format(Locale.ROOT, percent ? "%.2f %%" : "%.2f", value);
  }

  private static Grade grade(AuditVerdict verdict) {
    return switch (verdict) {
      case PASS -> Grade.PASS;
      case FAIL -> Grade.FAIL;
      case NOT_APPLICABLE -> Grade.UNKNOWN;
    };
  }

  /** The most that TPC-C's keying and think times allow. */
  static String limit(RunData run) {
    return "%.2f %s per %s"
        .formatted(
            SummaryTable.MOST_HEADLINE_PER_UNIT,
            run.metricName(0),
            run.result().scale().singular());
  }

  /** The share of what TPC-C's keying and think times allow, or why there is none. */
  static String efficiency(RunData run) {
    String limit = limit(run);
    String none = "Efficiency against " + limit + " (TPC-C 4.2): n/a, because ";
    if (run.result().scale().number() == 0) {
      return none + "the number of " + run.result().scale().name() + " is not known.";
    }
    if (!run.paced()) {
      return none + "the run had no keying and think times, which set that limit.";
    }
    return run.summaryTable().percentOfLimit().isEmpty()
        ? none + "there are no New-Orders."
        : "Efficiency: %s of %s (TPC-C 4.2)."
            .formatted(
                Texts.percent(run.summaryTable().percentOfLimit().getAsDouble() / 100), limit);
  }
}
