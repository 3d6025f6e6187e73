package io.shardmark.driver.report;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.shardmark.driver.judge.InputAudit;
import io.shardmark.driver.report.Page.PageGrade;
import io.shardmark.driver.report.Page.PageVerdict;
import io.shardmark.driver.results.AuditVerdict;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.Finding;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.ThresholdResult;
import io.shardmark.driver.results.VerdictKind;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.TypeData;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether the run was valid, and what a reader must know before its figures are used. */
final class Verdicts {
  private final RunData run;
  private final Ending ending;

  Verdicts(RunData run) {
    this.run = run;
    ending = run.result().run().ending();
  }

  List<PageVerdict> all() {
    List<PageVerdict> verdicts = new ArrayList<>();
    verdicts.addAll(run());
    if (!run.result().thresholds().isEmpty()) {
      verdicts.add(thresholds());
    }
    if (run.tpcc() || run.result().limited()) {
      verdicts.add(responseTimes());
    }
    if (run.tpcc() || !run.result().audit().isEmpty()) {
      verdicts.add(audit());
    }
    verdicts.add(errors());
    return verdicts;
  }

  /** The run's own verdict with all its findings; that it came to its end is no finding. */
  private List<PageVerdict> run() {
    if (run.isBlank() || run.result().findings().isEmpty()) {
      return List.of(ending());
    }
    List<PageVerdict> verdicts = new ArrayList<>();
    for (Finding finding : run.result().findings()) {
      verdicts.add(
          grade(finding.kind().grade())
              .on(verdicts.isEmpty() ? "Verdict" : "and also", finding.sentence()));
    }
    return verdicts;
  }

  private static PageGrade grade(VerdictKind.VerdictGrade grade) {
    return switch (grade) {
      case PASS -> PageGrade.PASS;
      case WARN -> PageGrade.WARN;
      case FAIL -> PageGrade.FAIL;
    };
  }

  private PageVerdict thresholds() {
    return (run.result().keptThresholds() ? PageGrade.PASS : PageGrade.FAIL)
        .on(
            "Thresholds",
            run.result().thresholds().stream()
                .map(ThresholdResult::sentence)
                .collect(Collectors.joining("; ")));
  }

  private PageVerdict ending() {
    String subject = "Run";
    if (run.isBlank()) {
      return PageGrade.FAIL.on(subject, "left no transactions");
    }
    String how = ending.jsonName();
    return run.cameToItsEnd()
        ? PageGrade.UNKNOWN.on(
            subject, (how.isEmpty() ? "as long as planned" : how) + "; there is no verdict")
        : PageGrade.FAIL.on(subject, how.isEmpty() ? "did not come to its end" : how);
  }

  private PageVerdict responseTimes() {
    String subject = "Response-time limits";
    List<String> broken =
        run.types().stream()
            .filter(type -> !type.limitMet().orElse(true))
            .map(TypeData::name)
            .toList();
    if (run.types().stream().noneMatch(type -> type.limitMet().isPresent())) {
      return PageGrade.UNKNOWN.on(subject, "no latencies to judge");
    }
    return broken.isEmpty()
        ? PageGrade.PASS.on(subject, "TPC-C 5.2.5.3 met by each type that occurred")
        : PageGrade.FAIL.on(subject, "TPC-C 5.2.5.3 not met by " + String.join(", ", broken));
  }

  private PageVerdict audit() {
    String subject = "Input audit";
    if (run.result().audit().isEmpty()) {
      return PageGrade.UNKNOWN.on(subject, "the directory has none");
    }
    List<String> failed = run.result().audited(AuditVerdict.FAIL);
    String text =
        "%d of %d rules of TPC-C 5.2.3 and 9.2.2.5 passed, %d not judged"
            .formatted(
                run.result().audited(AuditVerdict.PASS).size(),
                run.result().audit().size(),
                run.result().audited(AuditVerdict.NOT_APPLICABLE).size());
    return switch (InputAudit.overall(run.result().audit())) {
      case PASS -> PageGrade.PASS.on(subject, text);
      case NOT_APPLICABLE -> PageGrade.UNKNOWN.on(subject, text);
      case FAIL -> PageGrade.FAIL.on(subject, text + "; failed: " + String.join(", ", failed));
    };
  }

  private PageVerdict errors() {
    String subject = "Errors";
    if (run.isBlank()) {
      return PageGrade.UNKNOWN.on(subject, "the directory does not record it");
    }
    if (!run.knowsErrors()) {
      return PageGrade.UNKNOWN.on(
          subject, "BenchmarkSQL does not record them; failed ones count as done");
    }
    long failed = run.result().failedCount();
    long background = run.result().errorCount() - failed;
    long retries = run.result().retryCount();
    String tried = retries == 0 ? "" : ", " + Texts.plural(retries, "retry", "retries");
    if (failed + background == 0) {
      return PageGrade.PASS.on(subject, "no transaction failed" + tried);
    }
    String parts =
        background == 0
            ? ""
            : " and " + Texts.plural(background, "background part", "background parts");
    return PageGrade.FAIL.on(
        subject, Texts.plural(failed, "transaction", "transactions") + parts + " failed" + tried);
  }

  /** That response times may be higher than is known, and at least how high. */
  private static Optional<String> lowerBounds(TypeData type) {
    return type.result()
        .latencyMillis()
        .of(Scope.ALL, LatencyKind.DUE)
        .filter(due -> due.lowerBoundFrom() != null)
        .map(
            due ->
                "%s: %d not done when the interval ended count with their age so far: p99 %s, maximum %s; lower bounds from p%s on."
                    .formatted(
                        type.name(),
                        due.undone(),
                        LatencyFigure.P99.withUnit(due),
                        LatencyFigure.MAX.withUnit(due),
                        String.valueOf(due.lowerBoundFrom()).replaceFirst("\\.0$", "")));
  }

  private Optional<String> otherwiseCounted() {
    return run.result().metrics().stream()
        .limit(1)
        .filter(metric -> requireNonNullElse(metric.asBenchmarkSql(), 0.0) > metric.value())
        .map(
            metric ->
                "Counted as BenchmarkSQL counts, with failed transactions as successes, %s would be %s."
                    .formatted(metric.name(), Texts.three(requireNonNull(metric.asBenchmarkSql()))))
        .findFirst();
  }

  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (run.isBlank()) {
      warnings.add("There are no transactions in this directory, so there is nothing to report.");
    }
    run.result().faults().forEach(fault -> warnings.add(Texts.upperFirst(fault.sentence())));
    run.types().forEach(type -> lowerBounds(type).ifPresent(warnings::add));
    DriverSections drivers = new DriverSections(run);
    warnings.add(drivers.warning());
    warnings.add(drivers.suspicion());
    if (List.of(Ending.INTERRUPTED, Ending.ABORTED, Ending.INCONSISTENT).contains(ending)) {
      warnings.add(
          "The run was %s after %s."
              .formatted(ending.jsonName(), Texts.duration(run.result().interval().seconds())));
    }
    otherwiseCounted().ifPresent(warnings::add);
    if (ending == Ending.UNKNOWN && !run.missing().isEmpty()) {
      warnings.add(
          run.missing().stream()
              .filter(
                  sentence -> sentence.contains("cut short") || sentence.contains("summary.json"))
              .collect(Collectors.joining(" ")));
    }
    warnings.removeIf(String::isEmpty);
    return warnings;
  }
}
