package io.shardmark.driver.report;

import io.shardmark.driver.guarantees.Guarantees;
import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.report.Page.Verbatim;
import io.shardmark.driver.results.AcidResult;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.driver.results.AuditRow;
import io.shardmark.driver.results.AuditVerdict;
import io.shardmark.driver.results.CostFigure;
import io.shardmark.driver.results.RunScale;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.RunPropertiesFile;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The settings of the run, where it ran, and whether its input kept the benchmark's rules. */
public record SetupSections(RunData run) {
  /** What differs from the defaults, if the directory records it. */
  Section given() {
    return new Section(
        "settings",
        "Settings",
        "Keys that are not at their defaults. All others are under Configuration.",
        List.of(
            new Page.Items(
                run.properties().given().stream().map(SetupSections::setting).toList())));
  }

  private static String setting(RunPropertiesFile.Given one) {
    String missing = one.missing().equals("required") ? "" : "default " + one.missing() + ", ";
    return "%s=%s (%s%s)".formatted(one.key(), one.value(), missing, one.from());
  }

  Section setup() {
    Map<String, String> inEffect =
        run.result().hasSummary() ? run.result().configuration().texts() : Map.of();
    List<Block> known =
        Stream.<Block>of(
                new Verbatim("Run properties", run.properties().maskedText().strip()),
                Columns.pairs("In effect", inEffect),
                Columns.pairs("Workload", run.result().facts()),
                Columns.pairs("Driver's machine", run.result().machine()),
                Columns.pairs("Driver's Java", run.result().jvm()),
                Columns.pairs("Database", run.result().database()))
            .filter(block -> !block.isEmpty())
            .toList();
    return new Section(
        "setup",
        "Configuration",
        "Passwords are masked.",
        known.isEmpty() ? List.of(new Page.PageNote("The directory does not record it.")) : known,
        true);
  }

  /** What the system promised to transactions, by the settings that were read. */
  Section guarantees() {
    return new Section(
        "guarantees",
        "Guarantees",
        "",
        List.of(
            acid(),
            new Page.PageNote(
                run.tpcc() && run.result().acid().isEmpty()
                    ? "TPC-C clause 3 was not tested: acid=true tests it."
                    : ""),
            Columns.pairs("Settings", Guarantees.of(run.result()).rows())),
        true);
  }

  /** What the result takes of money and processors. */
  Section costs() {
    return new Section(
        "costs",
        "What it costs",
        "",
        List.of(
            new Columns<CostFigure>()
                .text("Figure", CostFigure::title)
                .number("Value", cost -> Texts.three(cost.value()))
                .text("95 % interval", cost -> HtmlReport.range(cost.interval()))
                .table("", CostFigure.of(run.result(), run.certainty().rates()))));
  }

  private Table acid() {
    return new Columns<AcidResult>()
        .text("Clause", AcidResult::clause)
        .prose("Test", AcidResult::title)
        .text("Verdict", test -> test.verdict().label())
        .graded(test -> grade(test.verdict()))
        .prose("What was seen", AcidResult::outcome)
        .table("TPC-C clause 3", run.result().acid());
  }

  private static Page.PageGrade grade(AcidVerdict verdict) {
    return switch (verdict) {
      case PASS -> Page.PageGrade.PASS;
      case FAIL, ERROR -> Page.PageGrade.FAIL;
      case SKIPPED, PERMITTED -> Page.PageGrade.UNKNOWN;
    };
  }

  /** What TPC-C asks of a run. */
  Section rules() {
    return new Section(
        "rules",
        run.workload() + "'s rules",
        "",
        List.of(audit(run.result().audit()), new Page.PageNote(run.tpcc() ? efficiency(run) : "")),
        true);
  }

  /** Rules of the input audit, for a page or the console. */
  public static Table audit(List<AuditRow> rows) {
    return new Columns<AuditRow>()
        .text("Clause", AuditRow::clause)
        .prose("What", AuditRow::description)
        .number("Low", row -> bound(row, row.low()))
        .number("Value", SetupSections::value)
        .number("High", row -> bound(row, row.high()))
        .number("Samples", row -> Texts.count(row.denominator()))
        .prose("Verdict", SetupSections::verdict)
        .graded(row -> grade(row.verdict()))
        .table("Input audit: what the driver fed into the system", rows);
  }

  private static String verdict(AuditRow row) {
    return row.verdict().key().replace('-', ' ')
        + (row.reason().isEmpty() ? "" : ": " + row.reason());
  }

  private static String bound(AuditRow row, double bound) {
    return Texts.text("%.2f", bound) + unit(row);
  }

  /** With as many digits as show on which side of its bound it is. */
  private static String value(AuditRow row) {
    Double value = row.value();
    return value == null
        ? Texts.NONE
        : Texts.apart(value, value < row.low() ? row.low() : row.high(), 4, 12) + unit(row);
  }

  private static String unit(AuditRow row) {
    return row.inPercent() ? " %" : "";
  }

  private static Page.PageGrade grade(AuditVerdict verdict) {
    return switch (verdict) {
      case PASS -> Page.PageGrade.PASS;
      case FAIL -> Page.PageGrade.FAIL;
      case NOT_APPLICABLE -> Page.PageGrade.UNKNOWN;
    };
  }

  /** The most that TPC-C's keying and think times allow. */
  static String limit(RunData run) {
    return "%.2f %s per %s"
        .formatted(
            RunScale.MOST_HEADLINE_PER_UNIT, run.metricName(0), run.result().scale().singular());
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
    return run.percentOfLimit().isEmpty()
        ? none + "there are no New-Orders."
        : "Efficiency: %s of %s (TPC-C 4.2)."
            .formatted(Texts.percent(run.percentOfLimit().getAsDouble() / 100), limit);
  }
}
