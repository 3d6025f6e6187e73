package io.shardmark.driver.run;

import io.shardmark.driver.audit.InputAudit;
import io.shardmark.driver.console.FinalReport;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.idle.IdleRun;
import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.result.Environment;
import io.shardmark.driver.result.ResultBuilder;
import io.shardmark.driver.result.ResultDirectory;
import io.shardmark.driver.results.DeferredWork;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.Session;
import io.shardmark.driver.terminal.TerminalRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is left to do when a run is over: its result, the last lines, the files, the report. */
final class RunEnd {
  private final RunPlan plan;
  private final RunConsole console;
  private final @Nullable SharedRun shared;

  RunEnd(RunPlan plan, RunConsole console, @Nullable SharedRun shared) {
    this.plan = plan;
    this.console = console;
    this.shared = shared;
  }

  /**
   * What was seen of the run beside its transactions.
   *
   * @param start of the session
   * @param shownProperties keys and values without passwords
   * @param environment of the driver, and what the server reports of itself
   * @param isolation level of the transactions, as the server reports it
   * @param idle null if no sessions were held beside the run
   */
  record Seen(
      ZonedDateTime start,
      Ending ending,
      Map<String, String> shownProperties,
      Environment environment,
      String isolation,
      TerminalRun terminals,
      ClientSummary.Seen client,
      Observers observers,
      @Nullable IdleRun idle,
      RunFaults faults) {}

  /** The result, of which nothing is written yet. */
  RunResult result(RunStatistics statistics, Seen seen) {
    TerminalRun terminals = seen.terminals();
    IdleRun idle = seen.idle();
    return ResultBuilder.of(
        new ResultBuilder.Context(
            Session.of(
                plan.runId(),
                Product.NAME_AND_VERSION,
                plan.benchmark().title(),
                seen.start(),
                ZonedDateTime.now(ZoneId.systemDefault()),
                seen.ending()),
            plan.settings().scale().result(),
            ResultBuilder.configuration(
                plan.settings().connection(),
                plan.config(),
                seen.isolation(),
                seen.shownProperties()),
            plan.workload().facts(),
            seen.environment(),
            plan.workload().metrics(),
            plan.failOn(),
            new DeferredWork(terminals.deferredWaiting(), terminals.deferredRefused()),
            InputAudit.evaluate(plan.workload().auditRules(), terminals.auditCounters()),
            ClientSummary.of(seen.client(), statistics, terminals.lateness(), plan.workers()),
            seen.observers().serverSide(),
            seen.faults().fault().stream().toList(),
            seen.faults().notes(),
            shared == null ? null : shared.part(seen.observers().sinceNanos()),
            idle == null ? null : idle.result(statistics.interval())),
        statistics);
  }

  /** The last lines; of several drivers, the first prints those of all together. */
  void print(RunResult result) {
    if (shared == null || !shared.isFirst()) {
      FinalReport.lines(result).forEach(console::info);
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
    SharedRun.Outcome outcome =
        shared == null
            ? new SharedRun.Outcome(result, directory.root(), complete)
            : shared.finish(result, statistics, plan.workload(), complete);
    Path root = outcome.directory();
    console.info("Results are in " + root);
    RunReport.write(root, console);
    return new BenchmarkRun.Result(outcome.result(), Optional.of(root), outcome.complete());
  }
}
