package io.shardmark.driver.run;

import io.shardmark.driver.adversity.RunAdversity;
import io.shardmark.driver.console.FinalReport;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.idle.IdleRun;
import io.shardmark.driver.judge.InputAudit;
import io.shardmark.driver.measure.Heartbeat;
import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.recorder.Environment;
import io.shardmark.driver.recorder.ResultBuilder;
import io.shardmark.driver.recorder.ResultDirectory;
import io.shardmark.driver.report.HtmlReport;
import io.shardmark.driver.results.AcidResult;
import io.shardmark.driver.results.DeferredWork;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.ResultDraft;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.Session;
import io.shardmark.driver.results.estimate.Interval;
import io.shardmark.driver.results.reader.ResultReader;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.terminal.TerminalRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is left to do when a run is over: its result, the last lines, the files, the report.
 *
 * @param shared null if one driver made the run
 * @param idle null if no idle sessions were held
 * @param adversity null if nothing was done to the system and its data not checked
 * @param acid tests of clause 3 that were made after it
 * @param heartbeat of the whole run
 */
record RunEnd(
    RunPlan plan,
    RunConsole console,
    @Nullable SharedRun shared,
    RunAnnouncement announcement,
    RunDatabase target,
    TerminalRun terminals,
    Observers observers,
    @Nullable IdleRun idle,
    @Nullable RunAdversity adversity,
    List<AcidResult> acid,
    RunFaults faults,
    Heartbeat heartbeat) {

  /**
   * The result, of which nothing is written yet.
   *
   * @param start of the session
   */
  RunResult result(RunStatistics statistics, ZonedDateTime start, Ending ending) {
    ResultDraft known = new ResultDraft();
    known.run =
        Session.of(
            plan.runId(),
            Product.NAME_AND_VERSION,
            plan.benchmark().title(),
            start,
            ZonedDateTime.now(ZoneId.systemDefault()),
            ending);
    known.scale = plan.settings().scale().result();
    known.configuration =
        ResultBuilder.configuration(
            plan.settings().connection(),
            plan.config(),
            target.isolation(),
            announcement.shownProperties());
    known.facts = plan.workload().facts();
    known.machine = Environment.machine();
    known.jvm = Environment.jvm();
    known.database = target.factsAtEnd();
    known.deferredWork = terminals.deferred();
    known.audit = InputAudit.evaluate(plan.workload().auditRules(), terminals.auditCounters());
    known.client =
        observers.client(
            statistics,
            terminals.lateness(),
            plan.workers(),
            heartbeat.during(statistics.interval()));
    observers.serverSide().addTo(known);
    known.faults = faults.fault().stream().toList();
    known.observers = faults.notes();
    known.drivers = shared == null ? null : shared.part(observers.sinceNanos());
    known.idleSessions = idle == null ? null : idle.result(statistics.interval());
    known.adversity =
        adversity == null ? null : adversity.result(statistics.interval().lengthNanos());
    known.acid = acid;
    return ResultBuilder.of(known, plan.workload().metrics(), plan.failOn(), statistics);
  }

  /** The last lines; of several drivers, the first prints those of all together. */
  void print(RunResult result) {
    if (shared == null || !shared.isFirst()) {
      FinalReport.print(FinalReport.lines(result), console);
    }
    DeferredWork deferred = result.deferredWork();
    if (deferred.refused() > 0) {
      console.error(
          "%d deliveries found their queue full and were never executed"
              .formatted(deferred.refused()));
    }
    if (deferred.notBegun() > 0) {
      console.info(
          "%d queued deliveries were not begun when the run ended".formatted(deferred.notBegun()));
    }
  }

  /**
   * Writes summary and report, of several drivers also those of all together.
   *
   * @param complete false if another file could not be written to its end
   */
  BenchmarkRun.Result write(
      RunResult result, RunStatistics statistics, ResultDirectory directory, boolean complete)
      throws IOException, InterruptedException {
    directory.writeSummary(result, statistics);
    BenchmarkRun.Result outcome =
        new BenchmarkRun.Result(result, Optional.of(directory.root()), complete);
    if (shared != null) {
      outcome = shared.finish(outcome, statistics, plan.workload());
    }
    Path root = outcome.directory().orElseThrow();
    writeReport(outcome.figures(), root);
    return outcome;
  }

  /** Whatever goes wrong is one warning, for the run itself is done and kept. */
  private void writeReport(RunResult result, Path root) {
    Map<String, Interval> rates = Map.of();
    Optional<Path> report = Optional.empty();
    try {
      RunData run = ResultReader.read(root, result);
      rates = run.certainty().rates();
      report = Optional.of(HtmlReport.write(run, root));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // A fault of the report, or a heap that is enough to drive with and too small to read the
      // rows again: neither must make a measured run look failed.
      console.warn(
          "No report was written (%s); driver.jar report %s can do it later".formatted(e, root));
    }
    printOutcome(result, rates);
    console.own("Results are in " + root);
    report.ifPresent(path -> console.own("The report is " + path));
  }

  /** The last lines: verdict and main figures; another driver prints those of all together. */
  void printOutcome(RunResult result, Map<String, Interval> rates) {
    if (shared == null || shared.isFirst()) {
      FinalReport.print(FinalReport.outcome(result, rates), console);
    }
  }
}
